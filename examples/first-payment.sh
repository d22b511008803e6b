#!/usr/bin/env bash
# A first payment with nothing but curl, openssl and jq: mutual TLS, a token, a signed request.
# usage: examples/first-payment.sh [KIT_FOLDER]        (default .assay/kit/demo-merchant)
set -euo pipefail

cd "${1:-.assay/kit/demo-merchant}"
api=$(jq -r .apiBaseUrl kit.json)
pages=$(jq -r .pagesBaseUrl kit.json)
organization=$(jq -r .organizationId kit.json)
account=$(jq -r '.processingAccountIds[0]' kit.json)
key_id=$(jq -r '.signingKeys[0].keyId' kit.json)
key=$(jq -r '.signingKeys[0].privateKey' kit.json)
host=${api#https://}
host=${host%%:*}

# call METHOD PATH CONTENT_TYPE BODY [curl options]: signs as clause 5.2 says, and sends.
call() {
  local method=$1 path=$2 type=$3 body=$4 components base length digest signature headers=()
  shift 4
  components='"@authority" "@method" "@request-target"'
  base="\"@authority\": $host"$'\n'"\"@method\": $method"$'\n'"\"@request-target\": $path"
  if [ -n "$body" ]; then
    digest="sha-256=:$(printf %s "$body" | openssl dgst -sha256 -binary | openssl base64 -A):"
    length=$(($(printf %s "$body" | wc -c)))
    components="$components \"content-digest\" \"content-type\" \"content-length\""
    base="$base"$'\n'"\"content-digest\": $digest"$'\n'"\"content-type\": $type"$'\n'"\"content-length\": $length"
    headers=(-H "Content-Type: $type" -H "Content-Digest: $digest" --data-binary "$body")
  fi
  local input="service_sig=($components);keyid=\"$key_id\";created=$(date +%s)"
  base="$base"$'\n'"\"@signature-params\": $input"
  signature=$(printf %s "$base" | openssl dgst -sha256 -sign "$key" | openssl base64 -A)
  headers+=(-H "Signature-Input: $input" -H "Signature: service_sig=:$signature:")
  curl -sS --cacert ca.pem --cert certificate.pem --key private-key.pem -X "$method" "$api$path" \
    "${headers[@]}" "$@"
}

# member FILTER: that member of an answer; a refusal ends the script with its own words.
member() {
  local answer
  answer=$(cat)
  jq -er "$1" <<<"$answer" || { jq -r '"Refused: " + .statusInfo.message' <<<"$answer" >&2; exit 1; }
}

token=$(call POST /auth/token application/x-www-form-urlencoded \
  "grant_type=client_credentials&client_id=$organization&scope=payments:process" | member .access_token)
authorization="Authorization: Bearer $token"

code=$(curl -sS -X POST "$pages/control/organizations/$organization/blik/codes" | jq -r .code)
echo "The shopper's phone shows the BLIK code $code."

payment=$(call POST /payments/initiate application/json "$(jq -nc --arg account "$account" --arg code "$code" '{
  processingAccountId: $account, clientTransactionId: "first-payment", transactionType: "ONE_TIME",
  paymentDetails: {amount: 1999, currency: "PLN", country: "PL", description: "A first payment"},
  providerDetails: {providerId: "BLIK"}, payerDetails: {oneTimeCode: $code}}')" \
  -H "$authorization" -H "Idempotency-Key: $(openssl rand -hex 16)")
id=$(member .transactionId <<<"$payment")
echo "Payment $id is $(jq -r '.status + ": " + .statusInfo.message' <<<"$payment")."

curl -sS -X POST "$pages/control/organizations/$organization/payments/$id/shopper" -d '{"action": "approve"}' >/dev/null
echo "The shopper approved on the phone."

call POST /payments/finalize application/json "{\"processingAccountId\":\"$account\",\"transactionId\":\"$id\"}" \
  -H "$authorization" -H "Idempotency-Key: $(openssl rand -hex 16)" |
  member '"Finalized: \(.status), \(.statusInfo.message)."'

curl -sS -X POST "$pages/control/organizations/$organization/clock" -d '{"advance": "PT2S"}' >/dev/null
state=$(call GET "/payments/$id/status" '' '' -H "$authorization" | member .lifecycle.state)
echo "Now it is $state."
