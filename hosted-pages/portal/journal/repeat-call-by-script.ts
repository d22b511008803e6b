import type { CallView } from './journal-call-types.ts'
import { isTokenCall, keptHeaders } from './repeat-call-by-curl.ts'

const TOKEN_FORM = 'grant_type=client_credentials&scope=payments:process%20payments:read%20data:reports&client_id='

/** The arguments of a repeated call, each as a literal that Python and JavaScript read alike. */
const argumentsOf = ({ request: { method, target, headers, body } }: CallView): string =>
  [method, target, headers['content-type'] ?? 'application/json', body].map(text => JSON.stringify(text)).join(', ')

/**
 * Returns a Node script without dependencies that repeats a call of the journal with new signature (5.2) and token
 * (5.3), by the kit.
 */
export const nodeSignedAnew = (call: CallView, organizationId: string): string => {
  const headers = JSON.stringify(Object.fromEntries(keptHeaders(call)))
  const send = isTokenCall(call)
    ? `console.log(await call(${argumentsOf(call)}, ${headers}))`
    : `const [, tokenPath] = /^(?:POST )?(.*)$/.exec(kit.dialect?.paths?.token ?? '/auth/token')
const granted = await call('POST', tokenPath, 'application/x-www-form-urlencoded', \`${TOKEN_FORM}\${kit.clientId}\`)
const Authorization = \`Bearer \${JSON.parse(granted).access_token}\`
console.log(await call(${argumentsOf(call)}, { ...${headers}, Authorization }))`
  return `${NODE.replaceAll('ORGANIZATION', organizationId)}\n${send}\n`
}

/**
 * Returns a Python script that repeats a call of the journal with new signature and token, by the kit, with the
 * standard library and openssl.
 */
export const pythonSignedAnew = (call: CallView, organizationId: string): string => {
  const headers = JSON.stringify(Object.fromEntries(keptHeaders(call)))
  const send = isTokenCall(call)
    ? `print(call(${argumentsOf(call)}, ${headers}))`
    : `token_path = kit.get("dialect", {}).get("paths", {}).get("token", "/auth/token").removeprefix("POST ")
granted = call("POST", token_path, "application/x-www-form-urlencoded", "${TOKEN_FORM}" + kit["clientId"])
print(call(${argumentsOf(call)}, {**${headers}, "Authorization": "Bearer " + json.loads(granted)["access_token"]}))`
  return `${PYTHON.replaceAll('ORGANIZATION', organizationId)}\n${send}\n`
}

const NODE = `// Node 18 or later: save as call.mjs, then node call.mjs
import { createHash, sign } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { request } from 'node:https'
import { dirname, join } from 'node:path'

let path = process.env.ASSAY_KIT ?? '.assay/kit/ORGANIZATION'
if (!existsSync(path)) throw new Error(\`There is no \${path}: run "assay kit ORGANIZATION --out .assay/kit/ORGANIZATION", or set ASSAY_KIT to the kit that the portal gave you.\`)
if (statSync(path).isDirectory()) path = join(path, 'kit.json')
const kit = JSON.parse(readFileSync(path, 'utf8'))
const pem = value => (value.includes('-----BEGIN') ? value : readFileSync(join(dirname(path), value), 'utf8'))
const says = (name, value) => kit.dialect?.dialect?.[name] === value
const api = new URL(kit.apiBaseUrl)
const [key] = kit.signingKeys

function call(method, target, type, body, headers = {}) {
  const parts = [['@authority', says('port', 'kept') ? api.host : api.hostname], ['@method', method], ['@request-target', target]]
  if (body !== '') {
    const [digest, length] = [createHash('sha256').update(body).digest('base64'), Buffer.byteLength(body)]
    headers = { ...headers, 'Content-Digest': \`sha-256=:\${digest}:\`, 'Content-Type': type, 'Content-Length': length }
    for (const name of ['Content-Digest', 'Content-Type', 'Content-Length']) parts.push([name.toLowerCase(), headers[name]])
  }
  const dated = [\`keyid="\${key.keyId}"\`, \`created=\${Math.floor(new Date / 1000)}\`]
  if (says('order', 'created-keyid')) dated.reverse()
  const input = \`service_sig=(\${parts.map(([name]) => \`"\${name}"\`).join(' ')});\${dated.join(';')}\`
  const last = says('reading', 'rfc') ? input.slice('service_sig='.length) : input
  const base = [...parts, ['@signature-params', last]].map(([name, value]) => \`"\${name}": \${value}\`).join('\\n')
  const dsaEncoding = says('encoding', 'raw') ? 'ieee-p1363' : 'der'
  const signature = sign('sha256', Buffer.from(base), { key: pem(key.privateKey), dsaEncoding }).toString('base64')
  const signed = { ...headers, 'Signature-Input': input, Signature: \`service_sig=:\${signature}:\` }
  const tls = { ca: pem(kit.ca), cert: pem(kit.certificate), key: pem(kit.privateKey) }
  return new Promise((resolve, reject) => {
    const options = { ...tls, method, hostname: api.hostname, port: api.port, path: target, headers: signed }
    const sent = request(options, async answer => {
      let text = ''
      for await (const part of answer.setEncoding('utf8')) text += part
      resolve(text)
    })
    sent.on('error', reject).end(body)
  })
}
`

const PYTHON = `# Python 3.9 or later, and openssl: save as call.py, then python3 call.py
import base64, hashlib, http.client, json, os, pathlib, ssl, subprocess, sys, tempfile, time, urllib.parse

path = pathlib.Path(os.environ.get("ASSAY_KIT", ".assay/kit/ORGANIZATION"))
if not path.exists():
    sys.exit(f'There is no {path}: run "assay kit ORGANIZATION --out .assay/kit/ORGANIZATION", or set ASSAY_KIT to the kit that the portal gave you.')
path = path / "kit.json" if path.is_dir() else path
kit = json.loads(path.read_text())
api = urllib.parse.urlsplit(kit["apiBaseUrl"])
key = kit["signingKeys"][0]


def pem(value):
    return value if "-----BEGIN" in value else (path.parent / value).read_text()


def says(name, value):
    return kit.get("dialect", {}).get("dialect", {}).get(name) == value


def raw(der):  # r and s, one after the other
    at, numbers = 2, b""
    for _ in range(2):
        size = der[at + 1]
        numbers += der[at + 2 : at + 2 + size][-32:].rjust(32, b"\\0")
        at += 2 + size
    return numbers


folder = tempfile.TemporaryDirectory()  # ssl and openssl take keys from files only
pair, signing_key = pathlib.Path(folder.name, "pair.pem"), pathlib.Path(folder.name, "key.pem")
pair.write_text(pem(kit["certificate"]) + "\\n" + pem(kit["privateKey"]))
signing_key.write_text(pem(key["privateKey"]))
tls = ssl.create_default_context(cadata=pem(kit["ca"]))
tls.load_cert_chain(pair)


def call(method, target, kind, body, headers={}):
    body, headers = body.encode(), dict(headers)
    parts = [("@authority", api.netloc if says("port", "kept") else api.hostname), ("@method", method), ("@request-target", target)]
    if body:
        headers["Content-Digest"] = "sha-256=:" + base64.b64encode(hashlib.sha256(body).digest()).decode() + ":"
        headers["Content-Type"], headers["Content-Length"] = kind, str(len(body))
        parts += [(name.lower(), headers[name]) for name in ("Content-Digest", "Content-Type", "Content-Length")]
    dated = [f'keyid="{key["keyId"]}"', f"created={int(time.time())}"]
    if says("order", "created-keyid"):
        dated.reverse()
    given = "service_sig=(" + " ".join(f'"{name}"' for name, _ in parts) + ");" + ";".join(dated)
    parts.append(("@signature-params", given.split("=", 1)[1] if says("reading", "rfc") else given))
    base = "\\n".join(f'"{name}": {value}' for name, value in parts)
    der = subprocess.run(["openssl", "dgst", "-sha256", "-sign", signing_key], input=base.encode(), capture_output=True, check=True).stdout
    signature = base64.b64encode(raw(der) if says("encoding", "raw") else der).decode()
    headers.update({"Signature-Input": given, "Signature": f"service_sig=:{signature}:"})
    connection = http.client.HTTPSConnection(api.hostname, api.port, context=tls)
    connection.request(method, target, body or None, headers)
    return connection.getresponse().read().decode()

`
