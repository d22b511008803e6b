import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  CAPABILITY_NAMES,
  PROVIDER_IDS,
  PROVIDERS,
  TRANSACTION_TYPES,
} from '../../contracts/protocol/providers-and-capabilities.ts'
import { paths } from '../../hosted-pages/shopper-paths.ts'
import { findProvider } from '../../simulator/providers/find-provider.ts'

const schemasOf = (file: string) =>
  parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')).components.schemas

const schemas = schemasOf('contracts/openapi.yaml')

test('1: openapi.yaml has the methods and transaction types of the table', () => {
  expect(schemas.ProviderId.enum).toEqual(PROVIDER_IDS)
  expect(schemas.TransactionType.enum).toEqual(TRANSACTION_TYPES)
})

test.each(PROVIDER_IDS)('2.2: openapi.yaml has the country and currency of %s', id => {
  const [rule] = Object.entries<{ then?: { properties?: { paymentDetails?: object } } }>(schemas).filter(
    ([name, { then }]) => name.toUpperCase() === `${id}RULE` && then?.properties?.paymentDetails,
  )
  const { country, currency } = PROVIDERS[id]
  expect(rule?.[1].then?.properties?.paymentDetails).toMatchObject({
    properties: { country: { const: country }, currency: { const: currency } },
  })
})

test('D-77: the description of control has the methods and capabilities of the table', () => {
  const { CapabilitiesByMethod, Capabilities } = schemasOf('simulator/control/openapi.yaml')
  expect(Object.keys(CapabilitiesByMethod.properties)).toEqual(PROVIDER_IDS)
  expect(Object.keys(Capabilities.properties)).toEqual(CAPABILITY_NAMES)
})

test('R7: the simulator redirects to where the pages of a method are', () => {
  const redirecting = PROVIDER_IDS.flatMap(id => findProvider(id).redirectPath ?? [])
  expect(redirecting.map(path => `${path}/secret`)).toEqual([paths.redirect('secret')])
})
