import type { Context, MiddlewareHandler } from 'hono'
import type { Dialect } from '../../contracts/dialect/dialect.ts'
import { isJsonObject } from '../../contracts/protocol/canonical-json.ts'
import type { DialectRegistry } from '../support/dialect-registry.ts'

type Parts = { dialects: Pick<DialectRegistry, 'of'> }

const dialectOf = ({ dialects }: Parts, c: Context): Dialect => dialects.of(c.req.param('organizationId') ?? '')

/** Creates the reader of transaction ids in control's requests: one as the organization's dialect has it becomes the service's own. */
export const createIdReader =
  (parts: Parts) =>
  <Text extends string | undefined>(c: Context, text: Text): Text =>
    (text === undefined ? text : dialectOf(parts, c).ids.read(text)) as Text

/** Middleware that writes the transaction ids of control's responses as the organization's dialect has them. */
export const speakTransactionIds =
  (parts: Parts): MiddlewareHandler =>
  async (c, next) => {
    await next()
    const { lines, ids } = dialectOf(parts, c)
    if (lines.ids?.transactionId !== 'number' || !c.res.headers.get('content-type')?.startsWith('application/json'))
      return
    c.res = new Response(JSON.stringify(withIds(await c.res.json(), ids.write)), c.res)
  }

const withIds = (value: unknown, write: (id: string) => string): unknown => {
  if (Array.isArray(value)) return value.map(item => withIds(item, write))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'transactionId' && typeof member === 'string' ? write(member) : withIds(member, write),
    ]),
  )
}
