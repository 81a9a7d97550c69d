CREATE TABLE turns (at DateTime64(3), pid UInt32, turns Array(UInt64), sumUs Array(UInt64), longestUs UInt64)
ENGINE = MergeTree ORDER BY (at, pid);

-- Lines of HOTSPAN_MODE=histogram alone: INSERT INTO turns FORMAT JSONEachRow, with
-- date_time_input_format = 'best_effort' and input_format_skip_unknown_fields = 1.

-- When and where were the longest turns? Element 6 is the first class of 10 ms and more.
SELECT toStartOfInterval(at, INTERVAL 10 MINUTE) AS since, pid,
  arraySum(arraySlice(sumForEach(turns), 6)) AS long_turns,
  round(100 * arraySum(arraySlice(sumForEach(sumUs), 6)) / arraySum(sumForEach(sumUs))) AS percent_of_busy_time,
  max(longestUs) / 1e3 AS longest_ms
FROM turns GROUP BY since, pid ORDER BY longest_ms DESC LIMIT 20;
