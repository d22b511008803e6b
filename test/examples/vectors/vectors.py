import base64
import json
import pathlib
import sys

example = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(example.parent))
module = __import__(example.stem)
for line in sys.stdin.read().splitlines():
    kind, name, *fields = line.split("\t")
    if kind == "digest":
        told = module.is_digest(fields[0], base64.b64decode(fields[1]))
    else:
        told = module.is_signed(json.loads(fields[0]), fields[1], fields[2], json.loads(fields[3]))
    print(name, "true" if told else "false")
