import { shortenUuid } from '../../contracts/dialect/numeric-ids.ts'
import type { Ids } from '../support/ids.ts'
import type { OperationRules } from './operation-types.ts'

/** Returns the ids of an organization's payments: in 52 random bits of a UUID where they are numbers on the wire. */
export const idsByRules = (ids: Ids, { numericIds }: Pick<OperationRules, 'numericIds'>): Ids =>
  numericIds
    ? {
        ...ids,
        uuid: () => shortenUuid(ids.uuid()),
        orderedUuid: milliseconds => shortenUuid(ids.orderedUuid(milliseconds)),
      }
    : ids
