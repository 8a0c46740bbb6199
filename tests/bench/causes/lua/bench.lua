-- Reads a text, counts and joins words, sorts, formats, fills tables and objects, writes a report.
local text, out = arg[1], assert(io.open(arg[2], "w"))
local counts, order, seen = {}, {}, 0
for line in io.lines(text) do
  for word in line:gmatch("%a+") do
    local key = word:lower() .. seen % 97
    if not counts[key] then
      counts[key] = 0
      order[#order + 1] = key
    end
    counts[key] = counts[key] + 1
    seen = seen + 1
  end
end
table.sort(order)

local point = {}
point.__index = point
function point.new(x, y)
  return setmetatable({ x = x, y = y }, point)
end
function point:length()
  return (self.x * self.x + self.y * self.y) ^ 0.5
end
local sum = 0
for i = 1, 60000 do
  sum = sum + point.new(i, i % 7):length()
end

local parts = {}
for i, key in ipairs(order) do
  parts[#parts + 1] = string.format("%-16s %5d", key, counts[key])
  out:write(parts[i], "\n")
end
out:write(#table.concat(parts, ";"), " ", string.format("%.3f", sum), "\n")
out:close()
