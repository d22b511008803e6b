import { BLIK_CHECKOUT_PAGE_RULES } from '../contracts/conduct/blik-checkout-page-rules.ts'
import { CONDUCT_RULES } from '../contracts/conduct/judge-conduct.ts'
import { REACTION_TIME_MS } from '../contracts/conduct/merchant-traffic.ts'
import { readBuiltInDrills } from '../simulator/conduct/drill-files.ts'
import { code, table } from './markdown.ts'

const drills = readBuiltInDrills()
const drillsFor = (id: string): string =>
  drills
    .filter(({ rules }) => rules.includes(id))
    .map(({ name }) => code(name))
    .join(', ')

/** Returns the text of docs/conduct.md: the rules and drills that grade a merchant's integration. */
export const conductPage = (): string => `# Conduct

A sandbox sees every call of a merchant's integration. So it can grade the merchant as the suites grade a service:
by rules with stable ids, each with its clause. A rule **fails** on one breach, **passes** if it applied at least once and was
always kept, and is **not exercised** if it never applied. Every verdict names the calls, deliveries or the payment that
prove it.

A shop has ${REACTION_TIME_MS / 1000} seconds of real time to react before an action counts as missing, so the rules that miss
one are judged that much later.

What \`assay certify\` calls is graded too, with the mistakes that it makes on purpose: certify with an organization of its own.

## Drills

A drill injects one failure, has a shopper go through the checkout, and judges how the shop handled it.

\`\`\`sh
npx @assay-sandbox/assay drill --run "npx playwright test checkout" --organization demo-merchant --report reports/drills
\`\`\`

The command goes through your checkout once, and ends when the shop shows the outcome. Its environment has \`ASSAY_DRILL\`,
\`ASSAY_RUN\`, \`ASSAY_URL\` and \`ASSAY_ORGANIZATION\`; tests with our [fixtures](test-my-shop.md) then use that organization. Without \`--run\` you act as the shopper: the drill says what to do and
waits. \`--passive\` runs no drill and grades the calls that the journal still holds (\`journal-size\`). The page *Conduct* of the portal has buttons for the same.

| Exit code | |
| --- | --- |
| 0 | every rule passed |
| 1 | a rule failed |
| 2 | invalid options |
| 3 | nothing could be measured, or no sandbox responds |
| 5 | a rule was not exercised |

\`report.html\` shows for each verdict the exchanges that prove it, side by side if there are two; \`report.json\` and
\`junit.xml\` are for programs, and \`assay certify verify DIR\` checks the signed certificate of conformance in the same folder.

${table(
  ['Drill', 'What happens', 'The shopper', 'Rules'],
  drills.map(({ name, title, ask, rules }) => [code(name), title, ask, rules.join(', ')]),
)}

Drills are data, in \`scenarios/drills/\`. They move the clock of the organization and disarm its faults, so use an
organization of its own for the shop under test.

## Rules

${table(
  ['Rule', 'Clause', 'Requirement', 'Why', 'Drills'],
  CONDUCT_RULES.map(({ id, clause, title, why }) => [id, clause, title, why, drillsFor(id)]),
)}

### A new signing key

\`KEY_ROTATION\` pays three times. Before the second payment the sandbox puts new signing keys first in the kit and makes
all others expire a week later; before the third payment that week passes. So the shop has to switch to a new key in between,
in one of three ways:

- it reads its key before each call, as [\`examples/shop/main.ts\`](../examples/shop/main.ts) does with the option
  \`signingKey\` of the merchant;
- your command switches it when \`ASSAY_RUN=2\` is set: it reads \`GET /control/organizations/$ASSAY_ORGANIZATION/kit\` and
  gives the shop \`signingKeys[0]\`, by whatever means you deploy;
- you register a key pair of your own, over control or in the portal, and switch to it.

When the drill ends, the old keys are valid again, so a shop that kept its key still works.

## The checkout page

Rules that no call can show are judged in a browser. [\`lintCheckout\`](test-my-shop.md) checks these in your Playwright tests:

${table(
  ['Finding', 'Requirement', 'Why'],
  BLIK_CHECKOUT_PAGE_RULES.map(({ id, title, why }) => [id, title, why]),
)}

## Over control

\`\`\`sh
curl http://localhost:8080/control/organizations/demo-merchant/conduct
curl -X POST http://localhost:8080/control/organizations/demo-merchant/drills/LOST_INITIATE/begin
curl -X POST http://localhost:8080/control/organizations/demo-merchant/drills/LOST_INITIATE/end \\
  --json '{"since":"2026-01-05T12:00:00.000Z"}'
\`\`\`
`
