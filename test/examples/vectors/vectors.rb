require File.expand_path(ARGV.first)

$stdin.each_line(chomp: true) do |line|
  kind, name, *fields = line.split("\t", -1)
  told = if kind == 'digest' then digest?(fields[0], fields[1].unpack1('m'))
         else signed?(JSON.parse(fields[0]), fields[1], fields[2], JSON.parse(fields[3]))
         end
  puts "#{name} #{told}"
end
