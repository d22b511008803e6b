import { test } from 'vitest'
import { expectMutantCaught, halfOfMutants, RUN_TIMEOUT } from './mutants/expect-mutant-caught.ts'

test.each(halfOfMutants(1))(
  'the mutant that $does is caught by $caughtBy and by no other check of the same scenarios',
  expectMutantCaught,
  RUN_TIMEOUT,
)
