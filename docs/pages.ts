import { SCENARIO_SCHEMA } from '../simulator/scenarios/schema.ts'
import { conductPage } from './conduct-page.ts'
import { errorsPage } from './errors-page.ts'
import { faultsPage } from './faults-page.ts'
import { figuresPage } from './figures-page.ts'
import { licencesPage } from './licences-page.ts'
import { lifecyclePage } from './lifecycle-page.ts'
import { llmsText, wayPage } from './page-list.ts'
import { referencePage } from './reference-page.ts'
import { scenariosPage } from './scenarios-page.ts'
import { signatureLabPage } from './signature-lab-page.ts'

const NOTE = '<!-- Printed from the tables of the code by `npm run docs`: change those. -->\n\n'

/** The pages that are printed from tables, by file. */
export const printedPages = (): Readonly<Record<string, string>> => ({
  'docs/README.md': NOTE + wayPage(),
  'docs/conduct.md': NOTE + conductPage(),
  'docs/errors.md': NOTE + errorsPage(),
  'docs/faults.md': NOTE + faultsPage(),
  'docs/licences.md': NOTE + licencesPage(),
  'docs/figures.md': figuresPage(),
  'docs/lifecycle.md': NOTE + lifecyclePage(),
  'docs/llms.txt': llmsText(),
  'docs/reference.md': NOTE + referencePage(),
  'docs/scenarios.md': NOTE + scenariosPage(),
  'docs/signature-lab.md': NOTE + signatureLabPage(),
  'scenarios/scenario.schema.json': `${JSON.stringify(SCENARIO_SCHEMA, null, 2)}\n`,
})
