/** Every page of the docs: for whom, where, and what is in it. A test holds this list and the folder together. */
// biome-ignore format: a table reads by its columns
export const PAGES = [
  // to do                            file                      what is in it
  ['Test my shop',                    'test-my-shop.md',         'from an empty folder to a green Playwright test of a BLIK payment; IRIS, clock, webhooks, faults, vitest'],
  ['Certify a deployment',            'certify.md',              'judge any base URL by the checks of the contract: profile, reports, certificate, exit codes'],
  ['Grade my integration',            'conduct.md',              'the rules of conduct, the drills that show them, and what a verdict means'],
  ['Run it for a team',               'run-it-for-a-team.md',    'container, control token, names and addresses, demo data, snapshots, what it keeps'],
  ['Run it for a whole company',      'scaling.md',              'PostgreSQL and several replicas: what they share and what it costs, a public sandbox, several databases'],
  ['Run it in CI',                    'containers.md',           'the image, compose, GitHub Actions, GitLab, Testcontainers'],
  ['Pay from another language',       'other-languages.md',      'a first payment in Python, in Java, in a shell; what every client has to get right'],
  ['Add a scenario',                  'add-a-scenario.md',       'an outcome of your own as a few lines of YAML, or one for everybody'],
  ['Add a payment method',            'add-a-payment-method.md', 'every file and table that a third method touches'],
  ['Rotate keys and certificates',    'keys-and-certificates.md', 'signing keys, certificate requests, other authorities, revocation'],
  ['Mend a refused signature',        'signature-lab.md',        'every cause that the lab knows, with its cure'],
  ['Look up an option or a call',     'reference.md',            'options, commands, calls of control, calls of the API'],
  ['Look up a refusal or a code',     'errors.md',               'refusals, reason codes, codes of the providers, declines'],
  ['Look up a scenario',              'scenarios.md',            'every named outcome, and three ways to ask for one'],
  ['Look up a fault',                 'faults.md',               'what can go wrong between merchant and provider on request'],
  ['Look up a state',                 'lifecycle.md',            'states and moves of a payment, drawn and as tables'],
  ['See what the checks catch',       'kill-matrix.md',          'which check catches which broken simulator'],
  ['See the figures',                 'figures.md',              'speed, memory, growth and soak as they were measured, with the machine and the commands'],
  ['See why a library is there',      'dependencies.md',         'a reason for each dependency'],
  ['See its licence',                 'licences.md',             'what is installed, its version and its licence'],
  ['Judge its security',              'threat-model.md',         'who may reach what, what it withstands and what it need not, each with the test that shows it'],
] as const

const NOT_MARKDOWN = [
  ['contracts/openapi.yaml', 'the API, OpenAPI 3.1'],
  ['simulator/control/openapi.yaml', 'control: all that tests and people do to the sandbox, OpenAPI 3.1'],
  ['contracts/DECISIONS.md', 'what was chosen where the interface document is silent'],
  ['contracts/CHECKS.md', 'where the checks judge otherwise than the catalogue they began with'],
  ['scenarios/scenario.schema.json', 'JSON Schema of scenario files'],
  ['examples/shop/shop.ts', 'a small shop that pays by BLIK and IRIS'],
  ['examples/first-payment.ts', 'a first payment in TypeScript'],
] as const

/** docs/README.md: one page per reader. */
export const wayPage = (): string => `# Find your way

${PAGES.map(([wish, file, what]) => `- **[${wish}](${file})**: ${what}`).join('\n')}

And beside the pages:

${NOT_MARKDOWN.map(([file, what]) => `- [\`${file}\`](../${file}): ${what}`).join('\n')}
`

/** docs/llms.txt: the same for programs that read. */
export const llmsText = (): string => `# Assay

> A sandbox for an account-to-account payment API (BLIK in Poland, IRIS in Greece) behind mutual TLS, OAuth tokens and RFC 9421
> signatures, and the contract tests that certify any deployment of it. One Node process and one SQLite file, or
> several over one PostgreSQL. No real money, no bank.

Start it with \`npm ci && npm start\`: the API is at https://localhost:8443, the shopper's pages, the portal and control are at
http://localhost:8080. Tests get an organization of their own by \`POST /control/organizations\`; its kit holds every credential.

## Docs

${PAGES.map(([wish, file, what]) => `- [${wish}](${file}): ${what}`).join('\n')}

## Files

${NOT_MARKDOWN.map(([file, what]) => `- [${file}](../${file}): ${what}`).join('\n')}
`
