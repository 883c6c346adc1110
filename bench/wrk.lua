-- Sends the requests of a file in turn, over and over, and prints what it measured as one line of JSON.
-- Usage: wrk … -s wrk.lua URL -- FILE, where FILE has each request as its length in bytes, a newline and its bytes.

local requests = {}
local at = 0

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  local length = file:read('*n')
  while length do
    file:read(1)
    requests[#requests + 1] = file:read(length)
    length = file:read('*n')
  end
  file:close()
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  local line = '\n{"requests":%d,"microseconds":%d,"failed":%d,"p50":%.3f,"p99":%.3f}\n'
  io.write(line:format(summary.requests, summary.duration, failed,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
