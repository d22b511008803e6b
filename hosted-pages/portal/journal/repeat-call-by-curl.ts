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

/** Returns a curl command that repeats a call as it was sent, with its signature, by the files of the kit. */
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

/** Returns a bash script (curl, openssl, jq) that repeats a call with new signature (5.2) and token (5.3). */
export const curlSignedAnew = ({ request }: CallView, organizationId: string): string => {
  const { method, target, headers, body } = request
  const type = headers['content-type'] ?? 'application/json'
  const kept = Object.entries(headers).filter(([name]) => !OWN.includes(name) && !name.startsWith('x-forwarded-'))
  const options = kept.map(([name, value]) => ` -H ${shellQuoted(`${name}: ${value}`)}`).join('')
  const send = `call ${shellQuoted(method)} ${shellQuoted(target)} ${shellQuoted(type)} ${shellQuoted(body)}`
  const isToken = target.split('?', 1)[0] === '/auth/token'
  return `(${BEGIN.replace('ORGANIZATION', organizationId)}\n${isToken ? `${send}${options}` : `${TOKEN}\n${send} -H "Authorization: Bearer $token"${options}`}\n)`
}

const BEGIN = `
set -euo pipefail; cd "\${ASSAY_KIT:-.assay/kit/ORGANIZATION}"
of() { jq -r "$1" kit.json; }
api=$(of .apiBaseUrl); host=\${api#https://}; host=\${host%%:*}
call() { # METHOD TARGET CONTENT_TYPE BODY [curl options]
  local parts='"@authority" "@method" "@request-target"' base digest input body=()
  base="\\"@authority\\": $host"$'\\n'"\\"@method\\": $1"$'\\n'"\\"@request-target\\": $2"
  if [ -n "$4" ]; then
    digest="sha-256=:$(printf %s "$4" | openssl dgst -sha256 -binary | base64 | tr -d '\\n'):"
    parts+=' "content-digest" "content-type" "content-length"'
    base+=$'\\n'"\\"content-digest\\": $digest"$'\\n'"\\"content-type\\": $3"$'\\n'"\\"content-length\\": $(printf %s "$4" | wc -c | tr -d ' ')"
    body=(-H "Content-Type: $3" -H "Content-Digest: $digest" --data-binary "$4")
  fi
  input="service_sig=($parts);keyid=\\"$(of '.signingKeys[0].keyId')\\";created=$(date +%s)"
  base+=$'\\n'"\\"@signature-params\\": $input"
  curl -sS --cacert ca.pem --cert certificate.pem --key private-key.pem -X "$1" "$api$2" "\${body[@]}" -H "Signature-Input: $input" \\
    -H "Signature: service_sig=:$(printf %s "$base" | openssl dgst -sha256 -sign "$(of '.signingKeys[0].privateKey')" | base64 | tr -d '\\n'):" "\${@:5}"
}`

const TOKEN = `token=$(call POST /auth/token application/x-www-form-urlencoded "grant_type=client_credentials&client_id=$(of .clientId)&scope=payments:process%20payments:read%20data:reports" | jq -r .access_token)`
