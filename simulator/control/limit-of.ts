import type { Context } from 'hono'
import { OperatorError } from '../operator/operator-error.ts'

const PAGE = 50

/** How much of a list is wanted, by `?limit=`. */
export const limitOf = (c: Context): number => {
  const text = c.req.query('limit') ?? String(PAGE)
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new OperatorError('invalid', `limit is ${JSON.stringify(text)}: give a number from 1 to 99999.`)
  return Number(text)
}
