-- In Neovim with the configuration of docs/everywhere.md: waits for the server, records the tests, waits for their marks,
-- and writes one line of JSON. `HOTSPAN_CLI` names dist/cli.cjs.
local uv = vim.uv
vim.opt.swapfile = false
local buffer = vim.api.nvim_get_current_buf()

local function now()
  local seconds, micros = uv.gettimeofday()
  return seconds * 1000 + micros / 1000
end

local function wait(what, is_so)
  if not vim.wait(60000, is_so, 5) then
    io.stdout:write(vim.json.encode({ missing = what }) .. '\n')
    vim.cmd('cquit 1')
  end
end

local function client()
  return vim.lsp.get_clients({ name = 'hotspan' })[1]
end

-- npx starts a shell, and that the server.
local function innermost(pid)
  local children = vim.api.nvim_get_proc_children(pid)
  return #children == 0 and pid or innermost(children[1])
end

-- CPU time of a process, in ms. Linux counts in hundredths of a second.
local function cpu(pid)
  local text = table.concat(vim.fn.readfile('/proc/' .. pid .. '/stat'), '')
  local fields = vim.split(text:match('%) (.*)$'), ' ')
  return (tonumber(fields[12]) + tonumber(fields[13])) * 10
end

local started = now()
wait('server', function() return client() ~= nil and client().initialized end)
local found = { initialized = now() - started }
local server = innermost(vim.fn.getpid())

-- The server logs the verdict of what it has read.
local log = vim.lsp.handlers['window/logMessage']
vim.lsp.handlers['window/logMessage'] = function(...)
  found.read = found.read or now()
  return log(...)
end

local before = cpu(server)
local record = vim.system({ 'node', vim.env.HOTSPAN_CLI, 'record', '--quiet', '--', 'npm', 'test' })
wait('marks', function() return #vim.lsp.inlay_hint.get({ bufnr = buffer }) > 0 end)
found.marks = now()
found.cpu = cpu(server) - before
found.hints = vim.tbl_map(function(hint)
  return { line = hint.inlay_hint.position.line, label = hint.inlay_hint.label }
end, vim.lsp.inlay_hint.get({ bufnr = buffer }))

wait('diagnostics', function() return #vim.diagnostic.get(buffer) > 0 end)
wait('lenses', function() return #vim.lsp.codelens.get(buffer) > 0 end)
found.lenses = vim.tbl_map(function(lens) return lens.command.title end, vim.lsp.codelens.get(buffer))
local at = { textDocument = { uri = vim.uri_from_bufnr(buffer) }, position = { line = found.hints[1].line, character = 4 } }
found.hover = client():request_sync('textDocument/hover', at, 5000, buffer).result.contents.value
client():exec_cmd({ title = '', command = 'hotspan.openRecording' })
wait('report', function() return vim.api.nvim_buf_get_name(0):match('recording%.txt$') ~= nil end)
found.report = vim.api.nvim_buf_get_lines(0, 0, 1, false)[1]
record:wait()
io.stdout:write(vim.json.encode(found) .. '\n')
vim.cmd('qall!')
