-- Lines of HOTSPAN_MODE=histogram in turns*.log, among any others: once to Parquet.
COPY (
  FROM read_json('turns*.log', format = 'newline_delimited', ignore_errors = true, columns = {
    hotspan: 'VARCHAR', "at": 'TIMESTAMP', pid: 'INTEGER', turns: 'BIGINT[]', sumUs: 'BIGINT[]', longestUs: 'BIGINT'
  })
  WHERE hotspan = 'histogram'
) TO 'turns.parquet';

-- When and where were the longest turns? Element 6 is the first class of 10 ms and more.
SELECT time_bucket(INTERVAL '10 minutes', "at") AS since, pid,
  sum(list_sum(turns[6:])) AS long_turns,
  round(100 * sum(list_sum(sumUs[6:])) / sum(list_sum(sumUs))) AS percent_of_busy_time,
  max(longestUs) / 1e3 AS longest_ms
FROM 'turns.parquet' GROUP BY ALL ORDER BY longest_ms DESC LIMIT 20;
