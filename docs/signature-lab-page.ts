import {
  CAUSES,
  SIGNATURE_PARTS,
  type SignaturePart,
} from '../contracts/protocol/signature-lab/signature-error-causes.ts'
import { code, table } from './markdown.ts'

/** Formats a sentence as a table cell, its placeholders replaced by an ellipsis. */
const cell = (text: string): string => text.replaceAll(/\{\w+\}/g, '…').replaceAll('|', '\\|')

const causesOf = (part: SignaturePart) => Object.entries(CAUSES).filter(([, [own]]) => own === part)

/** Returns the text of docs/signature-lab.md: how to use the lab, and the causes it recognises (5.2). */
export const signatureLabPage = (): string => `# The signature lab

A 401 only says that a signature does not verify. The lab explains why: which step fails, what was signed instead of the
expected signature base, by which key, and what to change. It then makes a correct signature for comparison.

## Three ways to use it

**In the portal**: open an organization, then *Signature lab*. It lists the calls that were refused for their signature; choose
one, or paste a request. A refused call in the journal has a button that opens the lab.

**As a command**, which sends nothing to other machines:

\`\`\`sh
assay lab refused.http --kit .assay/kit/demo-merchant
curl -v … 2>&1 | assay lab --key my-key-id=public.pem
assay lab refused.http --key public.pem --base base.txt      # the base that your client built
assay lab one.http --also another.http                       # which key made both?
assay lab --control http://localhost:8080 --call CALL-ID     # a call of a running simulator
\`\`\`

Its exit code is 0 if the signature verifies, 1 if it does not, 2 for invalid options or unreadable input. \`--json\` prints
everything; \`assay help lab\` explains each option.

**Over control**: \`POST /control/organizations/{organizationId}/lab\` with \`{"call": "…"}\` or \`{"request": "…"}\`, and
optionally \`base\`.

A request may be raw HTTP, the output of \`curl -v\`, a curl command, an entry of a HAR file, or a call of the journal as JSON.
Line endings that a form or a terminal changed in the body are restored where \`Content-Length\` allows it. A masked, truncated
or missing body is not judged; its signature is, by the digest that was sent. If the target of a call contains a token, the journal
masks it there too: paste the request as it was sent.

## What it does

1. **It judges each step**, also after the first error: headers, grammar, label, components, parameters, time, key,
   algorithm, encoding, digest, signature. It parses leniently what a strict parser would refuse, so that the rest can be judged.
2. **It searches for the digest**: the body as other programs would serialize it, with other line endings, in other encodings.
3. **It searches for the signature base**: the expected one, then with one deviation, then with two, the likeliest first. The
   table below lists the deviations, each in several variants. It also tries other hashes, encodings, and every key of the
   organization, including that of its client certificate. If two causes yield the same bytes, it reports both. It never tries
   keys of other organizations.
4. **It recognizes an unregistered key.** An ECDSA signature and its message leave two possible public keys; the one that
   two requests have in common made both. The lab prints it, ready to be registered.
5. **It shows both bases side by side**, with the first difference marked, and symbols for invisible characters: line endings,
   tabs, byte order marks, spaces at the ends.
6. **It makes a correct signature**: the base, the openssl command, and with a key of the kit the headers and the whole call.

On P-256 a search without result takes a few seconds and some ten thousand verifications; on P-521 it stops at its time
limit and says so: eight seconds in the simulator, \`--seconds\` of the command. One search runs at a time, on the thread
pool, a few verifications per turn, so API calls are not blocked.

## What it recognizes

The identifier is \`cause\` in the responses of control and in \`--json\`.

${Object.entries(SIGNATURE_PARTS)
  .map(
    ([part, cure]) => `### ${part}

Fix: ${cell(cure)}.

${table(
  ['Cause', 'Sentence'],
  causesOf(part as SignaturePart).map(([cause, [, sentence]]) => [code(cause), cell(sentence)]),
)}`,
  )
  .join('\n\n')}

## What other tools show

Public tools that we found: explainers that build a base from an example (protocol-explorer.dev), decoders that parse the two
headers and judge their parameters without verifying, and verifiers that rebuild the base and report success or failure, at best
with the first error in the headers (the debug endpoint of the web-bot-auth examples, demo services that accept the public key
with the request, the botgate analyser on PyPI). Users of libraries request less: access to the signature base
(github.com/yaronf/httpsign, issue 13).

None of them compares with the base that the client built, derives from a signature what was signed instead, detects that
another key signed, or recognizes an unregistered key.
`
