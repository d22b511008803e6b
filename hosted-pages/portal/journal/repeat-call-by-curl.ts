import { shellQuoted } from '../layout/equivalent-curl.ts'
import type { CallView } from './journal-call-types.ts'

/** Headers to leave out of a repeated call: set anew by it, or added by a proxy or the connection. */
const OWN = [
  'host',
  'connection',
  'accept',
  'accept-encoding',
  'accept-language',
  'sec-fetch-mode',
  'user-agent',
  'content-length',
  'content-type',
  'content-digest',
  'transfer-encoding',
  'signature',
  'signature-input',
  'authorization',
]

/**
 * Returns a curl command that repeats a call of the journal as it was sent, with its signature, by the files of the
 * kit.
 */
export const curlAsSent = ({ request }: CallView): string => {
  const { host = 'localhost:8443', ...others } = request.headers
  const headers = Object.entries(others).filter(([name]) => !['connection', 'content-length'].includes(name))
  return [
    'curl -i --cacert ca.pem --cert certificate.pem --key private-key.pem',
    `-X ${shellQuoted(request.method)} ${shellQuoted(`https://${host}${request.target}`)}`,
    ...headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(request.body === '' ? [] : [`--data-binary ${shellQuoted(request.body)}`]),
  ].join(' \\\n  ')
}

/**
 * Returns a bash script (curl, openssl, jq) that repeats a call of the journal with new signature (5.2) and token
 * (5.3), by its organization's kit as folder or as JSON file.
 */
export const curlSignedAnew = ({ operation, request }: CallView, organizationId: string): string => {
  const { method, target, headers, body } = request
  const type = headers['content-type'] ?? 'application/json'
  const options = keptHeaders({ request })
    .map(([name, value]) => ` -H ${shellQuoted(`${name}: ${value}`)}`)
    .join('')
  const send = `call ${shellQuoted(method)} ${shellQuoted(target)} ${shellQuoted(type)} ${shellQuoted(body)}`
  return `(${BEGIN.replaceAll('ORGANIZATION', organizationId)}\n${isTokenCall({ operation, request }) ? `${send}${options}` : `${TOKEN}\n${send} -H "Authorization: Bearer $token"${options}`}\n)`
}

type Repeated = Pick<CallView, 'request'> & { operation?: string | undefined }

/** Returns the headers of a journal's call that the command or script which repeats it sends as they were. */
export const keptHeaders = ({ request: { headers } }: Repeated): [name: string, value: string][] =>
  Object.entries(headers).filter(([name]) => !OWN.includes(name) && !name.startsWith('x-forwarded-'))

/** Whether a journal's call is one to the token endpoint, which is repeated without a token. */
export const isTokenCall = ({ operation, request: { target } }: Repeated): boolean =>
  operation === 'token' || target.split('?', 1)[0] === '/auth/token'

const BEGIN = `
set -euo pipefail; kit=\${ASSAY_KIT:-.assay/kit/ORGANIZATION}; [ ! -d "$kit" ] || kit=$kit/kit.json
[ -f "$kit" ] || { echo "There is no $kit: run \\"assay kit ORGANIZATION --out .assay/kit/ORGANIZATION\\", or set ASSAY_KIT to the kit that the portal gave you." >&2; exit 1; }
case $kit in */*) ;; *) kit=./$kit ;; esac
of() { jq -r "$1" "$kit"; }
is() { [ "$(of ".dialect.dialect.$1")" = "$2" ]; }
pem() { local value; value=$(of "$1"); case $value in *-----BEGIN*) printf '%s\\n' "$value" ;; *) cat "\${kit%/*}/$value" 2>/dev/null ;; esac; }
raw() { printf "$(openssl asn1parse -inform DER | sed -n 's/.*INTEGER *://p' | while read -r n; do printf %64s "$n"; done | tr ' ' 0 | sed 's/../\\\\x&/g')"; }
api=$(of .apiBaseUrl); host=\${api#https://}; is port kept || host=\${host%%:*}
call() { # METHOD TARGET CONTENT_TYPE BODY [curl options]
  local parts='"@authority" "@method" "@request-target"' base digest input body=()
  base="\\"@authority\\": $host"$'\\n'"\\"@method\\": $1"$'\\n'"\\"@request-target\\": $2"
  if [ -n "$4" ]; then
    digest="sha-256=:$(printf %s "$4" | openssl dgst -sha256 -binary | base64 | tr -d '\\n'):"
    parts+=' "content-digest" "content-type" "content-length"'
    base+=$'\\n'"\\"content-digest\\": $digest"$'\\n'"\\"content-type\\": $3"$'\\n'"\\"content-length\\": $(printf %s "$4" | wc -c | tr -d ' ')"
    body=(-H "Content-Type: $3" -H "Content-Digest: $digest" --data-binary "$4")
  fi
  input=";keyid=\\"$(of '.signingKeys[0].keyId')\\""; if is order created-keyid; then input=";created=$(date +%s)$input"; else input+=";created=$(date +%s)"; fi
  input="service_sig=($parts)$input"
  base+=$'\\n'"\\"@signature-params\\": $(if is reading rfc; then echo "\${input#*=}"; else echo "$input"; fi)"
  curl -sS --cacert <(pem .ca) --cert <(pem .certificate) --key <(pem .privateKey) -X "$1" "$api$2" \${body[@]+"\${body[@]}"} -H "Signature-Input: $input" \\
    -H "Signature: service_sig=:$(printf %s "$base" | openssl dgst -sha256 -sign <(pem '.signingKeys[0].privateKey') | if is encoding raw; then raw; else cat; fi | base64 | tr -d '\\n'):" "\${@:5}"
}`

const TOKEN = `token=$(call POST "$(of '.dialect.paths.token // "/auth/token" | ltrimstr("POST ")')" application/x-www-form-urlencoded "grant_type=client_credentials&client_id=$(of .clientId)&scope=payments:process%20payments:read%20data:reports" | jq -r .access_token)`
