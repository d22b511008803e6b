#!/usr/bin/env bash
# A first payment with nothing but curl, openssl and jq: mutual TLS, a token, signed requests, verified answers.
# usage: examples/first-payment.sh [KIT]        (a kit's folder or its JSON file; default .assay/kit/demo-merchant)
set -euo pipefail

fail() { printf '%s\n' "$1" >&2; exit 1; }

# of FILTER: that member of the kit.
of() { jq -er "$1" "$kit" || fail "$kit is no kit: start the sandbox, which writes one into .assay/kit/demo-merchant, or name another."; }

# pem FILTER: a PEM text of the kit, which may be in a file beside it. No error shows the value: it may be a key.
pem() {
  local value
  value=$(of "$1")
  case $value in
    *-----BEGIN*) printf '%s\n' "$value" ;;
    *) cat "${kit%/*}/$value" 2>/dev/null || fail "The $1 of the kit is neither PEM nor a file that can be read." ;;
  esac
}

# send URL [curl options]: over mutual TLS; the keys are handed to curl by pipes.
send() { curl -sS --cacert <(pem .ca) --cert <(pem .certificate) --key <(pem .privateKey) "$@"; }

encoded() { openssl base64 -A; }

# digest NAME TEXT: the value of Content-Digest, such as sha-256=:…:
digest() { printf '%s=:%s:' "$1" "$(printf %s "$2" | openssl dgst "-${1/-/}" -binary | encoded)"; }

# is_digest FIELD TEXT: whether every digest of the field is that of the text.
is_digest() {
  local one
  for one in ${1//,/ }; do
    case $one in sha-256=* | sha-384=* | sha-512=*) [ "$one" = "$(digest "${one%%=*}" "$2")" ] || return 1 ;; *) return 1 ;; esac
  done
}

# public_key JWK: its PEM; each curve's keys begin with the same bytes.
public_key() {
  local begin part
  case $1 in
    *P-256*) begin=MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE ;;
    *P-384*) begin=MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAE ;;
    *) begin=MIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQ= ;;
  esac
  echo '-----BEGIN PUBLIC KEY-----'
  jq -r --arg begin "$begin" '$begin, .x, .y | gsub("-"; "+") | gsub("_"; "/") | . + "=="[0:(4 - length % 4) % 4]' <<<"$1" |
    while read -r part; do openssl base64 -d -A <<<"$part"; done | openssl base64
  echo '-----END PUBLIC KEY-----'
}

# der BASE64: a signature as DER, which openssl reads, from r and s one after the other, as in RFC 9421, or from DER.
der() {
  local hex half
  hex=$(openssl base64 -d -A <<<"$1" | od -An -v -tx1 | tr -d ' \n')
  half=$((${#hex} / 2))
  case ${#hex} in
    128 | 192 | 264) openssl asn1parse -noout -out /dev/stdout -genconf <(printf 'asn1=SEQUENCE:both\n[both]\nr=INTEGER:0x%s\ns=INTEGER:0x%s\n' \
      "${hex:0:half}" "${hex:half}") ;;
    *) openssl base64 -d -A <<<"$1" ;;
  esac
}

# is_signed VALUES INPUT SIGNATURE JWK: whether a key signed these components, which are JSON; the parameters stand with their
# label, or without as in RFC 9421.
is_signed() {
  local lines last hash signature=${3#*=:}
  case $4 in *P-256*) hash=sha256 ;; *P-384*) hash=sha384 ;; *) hash=sha512 ;; esac
  lines=$(jq -r --arg input "$2" '. as $values | $input | split(")")[0] | scan("\"([^\"]*)\"")[] | "\"\(.)\": \($values[.])"' <<<"$1")
  for last in "$2" "${2#*=}"; do
    printf '%s\n"@signature-params": %s' "$lines" "$last" |
      openssl dgst "-$hash" -verify <(public_key "$4") -signature <(der "${signature%:}") >/dev/null 2>&1 && return
  done
  return 1
}

# is_verified HEAD BODY: whether the service signed the status and the body of an answer (5.4).
is_verified() {
  local values input key
  values=$(jq -Rsc 'split("\r\n") | (.[0] | {"@status": split(" ")[1]}) + ([.[1:][] | capture("^(?<key>[^:]+): *(?<value>.*)")
    | .key |= ascii_downcase] | from_entries | ."content-type" |= (. // "" | split(";") | (.[0] // "") | ascii_downcase))' <<<"$1")
  input=$(jq -r '."signature-input"' <<<"$values")
  key=$(jq -c --arg input "$input" '.keys[] | select("keyid=\"\(.kid)\"" as $id | $input | contains($id))' <<<"$keys")
  [[ $input == *'"@status"'* && $input == *'"content-digest"'* && -n $key ]] &&
    is_digest "$(jq -r '."content-digest"' <<<"$values")" "$2" && is_signed "$values" "$input" "$(jq -r .signature <<<"$values")" "$key"
}

# call METHOD PATH CONTENT_TYPE BODY [curl options]: signs as clause 5.2 says, sends, and prints the answer; a refusal ends it.
call() {
  local method=$1 path=$2 type=$3 body=$4 components base input answer head status headers=()
  shift 4
  components='"@authority" "@method" "@request-target"'
  base="\"@authority\": $host"$'\n'"\"@method\": $method"$'\n'"\"@request-target\": $path"
  if [ -n "$body" ]; then
    headers=(-H "Content-Type: $type" -H "Content-Digest: $(digest sha-256 "$body")" --data-binary "$body")
    components="$components \"content-digest\" \"content-type\" \"content-length\""
    base="$base"$'\n'"\"content-digest\": $(digest sha-256 "$body")"$'\n'"\"content-type\": $type"
    base="$base"$'\n'"\"content-length\": $(($(printf %s "$body" | wc -c)))"
  fi
  input="service_sig=($components);keyid=\"$(of '.signingKeys[0].keyId')\";created=$(date +%s)"
  base="$base"$'\n'"\"@signature-params\": $input"
  headers+=(-H "Signature-Input: $input")
  headers+=(-H "Signature: service_sig=:$(printf %s "$base" | openssl dgst -sha256 -sign <(pem '.signingKeys[0].privateKey') | encoded):")
  answer=$(send "$api$path" -X "$method" -D - "${headers[@]}" "$@" && printf .)
  head=${answer%%$'\r\n\r\n'*}
  body=${answer#*$'\r\n\r\n'}
  body=${body%.}
  status=${head#* }
  [ "${status:0:3}" -lt 400 ] || fail "Refused: $(jq -r .statusInfo.message <<<"$body")"
  is_verified "$head" "$body" || fail "The answer to $method $path is not signed by the service."
  printf %s "$body"
}

# control PATH [BODY]: plays the shopper and the clock, where ASSAY_URL says: a kit may name the address for browsers.
control() {
  local answer pages=${ASSAY_URL:-$(of .pagesBaseUrl)}
  pages=${pages%/}
  answer=$(curl -sS ${ASSAY_CONTROL_TOKEN:+-H "Authorization: Bearer $ASSAY_CONTROL_TOKEN"} \
    -X POST "$pages/control/organizations/$(of .organizationId)$1" -d "${2:-}") ||
    fail "Control does not respond at $pages: let ASSAY_URL name the pages of the sandbox."
  ! jq -e 'has("error")' <<<"$answer" >/dev/null || fail "Control refused $1: $(jq -r .error <<<"$answer")"
  printf %s "$answer"
}

main() {
  kit=${1:-.assay/kit/demo-merchant}
  [ ! -d "$kit" ] || kit=$kit/kit.json
  case $kit in */*) ;; *) kit=./$kit ;; esac
  local account token authorization code payment id finalized status
  api=$(of .apiBaseUrl)
  host=${api#https://}
  host=${host%%:*}
  keys=$(send "$(of .jwksUrl)")
  account=$(of '.processingAccountIds[0]')

  token=$(call POST /auth/token application/x-www-form-urlencoded \
    "grant_type=client_credentials&client_id=$(of .clientId)&scope=payments:process" | jq -r .access_token)
  authorization="Authorization: Bearer $token"

  code=$(control /blik/codes | jq -r .code)
  echo "The shopper's phone shows the BLIK code $code."

  payment=$(call POST /payments/initiate application/json "$(jq -nc --arg account "$account" --arg code "$code" '{
    processingAccountId: $account, clientTransactionId: "first-payment", transactionType: "ONE_TIME",
    paymentDetails: {amount: 1999, currency: "PLN", country: "PL", description: "A first payment"},
    providerDetails: {providerId: "BLIK"}, payerDetails: {oneTimeCode: $code}}')" \
    -H "$authorization" -H "Idempotency-Key: $(openssl rand -hex 16)")
  id=$(jq -r .transactionId <<<"$payment")
  echo "Payment $id is $(jq -r '.status + ": " + .statusInfo.message' <<<"$payment")."

  control "/payments/$id/shopper" '{"action": "approve"}' >/dev/null
  echo "The shopper approved on the phone."

  finalized=$(call POST /payments/finalize application/json "{\"processingAccountId\":\"$account\",\"transactionId\":\"$id\"}" \
    -H "$authorization" -H "Idempotency-Key: $(openssl rand -hex 16)")
  jq -r '"Finalized: \(.status), \(.statusInfo.message)."' <<<"$finalized"

  control /clock '{"advance": "PT2S"}' >/dev/null
  status=$(call GET "/payments/$id/status" '' '' -H "$authorization")
  jq -r '"Now it is \(.lifecycle.state). The service signed every answer."' <<<"$status"
}

[ "${BASH_SOURCE[0]}" != "$0" ] || main "$@"
