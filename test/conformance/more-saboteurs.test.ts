import { test } from 'vitest'
import { everyOther, expectCaught } from './expect-caught.ts'

test.each(everyOther(1))('a simulator that $does is caught by $caughtBy.length checks and by no other', expectCaught)
