import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take most of a minute, longest first: at the end of a run one of them would leave the other workers idle. */
const LONGEST = [
  'conformance/stand-in',
  'packaging/npm-package',
  'conformance/same-verdicts-in-every-dialect',
  'conformance/mutants-second-half',
  'examples/example-programs',
  'conformance/mutants-first-half',
  'browser/portal-form-page-requirements',
  'browser/shopper-page-accessibility',
  'conformance/scout-stand-in',
  'security/secret-leaks',
  'browser/demo-shop-and-side-by-side-page',
  'security/regex-backtracking',
  'conformance/conformant-variations',
  'explore/explore-independent-stand-in',
  'browser/iris-pages',
].map(name => `/test/${name}.test.ts`)

/** Order of the test files: the longest first also on a machine that has not run them yet. */
export class LongestFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification) => LONGEST.some(end => moduleId.endsWith(end))
    const rank = ({ moduleId }: TestSpecification) => LONGEST.findIndex(end => moduleId.endsWith(end))
    const [long, others] = [files.filter(isLongest), files.filter(file => !isLongest(file))]
    return [...long.sort((one, other) => rank(one) - rank(other)), ...(await super.sort(others))]
  }
}
