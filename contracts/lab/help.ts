export const HELP = `Tells what is wrong with a signed request, what was signed instead, and how it is done right.

  assay lab [FILE] [options]

  FILE               the request as it went out, or - for stdin (also where no file is named): raw HTTP, what "curl -v"
                     prints, a curl command, an entry of a HAR file, or a call of the journal as JSON
  --kit PATH         keys of a kit: its folder or its kit.json; the client certificate's key is tried too
  --key [ID=]FILE    a key: PEM, JWK or certificate, with its keyid in front; may stand more than once
  --base FILE        the signature base that your client built, byte for byte, or as a JSON string in quotes
  --also FILE        another request of the same client: two of them tell the key that signed, even one that nobody
                     registered; may stand more than once
  --control URL      ask a running simulator, which knows all keys of the organization (http://localhost:8080)
  --call ID          a call in the journal of that simulator, in place of FILE
  --organization ID  whose journal and keys there (demo-merchant)
  --strict FORM      accept one form only: rfc or literal for the last line, der or raw for the signature; may stand
                     more than once
  --seconds N        how long to search at most (10)
  --json             everything as JSON
  --help             this text

  curl -v … 2>&1 | assay lab --kit .assay/kit/demo-merchant
  assay lab refused.http --key my-key-id=public.pem --base base.txt
  assay lab --control http://localhost:8080 --call 0f8fad5b-d9cb-469f-a165-70867728950e

Every step of clause 5.2 is judged; where the signature does not verify, the command tries what clients do wrong, one
thing and then two, with every key it has, and names what fits. docs/signature-lab.md lists all of it. Nothing leaves this
machine, but for --control.
Exit codes: 0 the signature verifies, 1 it does not, 2 wrong options, or nothing that could be read.
`

export const OPTIONS = {
  kit: { type: 'string' },
  key: { type: 'string', multiple: true },
  base: { type: 'string' },
  also: { type: 'string', multiple: true },
  control: { type: 'string' },
  call: { type: 'string' },
  organization: { type: 'string' },
  strict: { type: 'string', multiple: true },
  seconds: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const
