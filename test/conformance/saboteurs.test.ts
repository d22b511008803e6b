import { test } from 'vitest'
import { everyOther, expectCaught, LIMIT } from './expect-caught.ts'

test.each(everyOther(0))(
  'a simulator that $does is caught by $caughtBy and by none of their neighbours',
  expectCaught,
  LIMIT,
)
