import { OPERATION_NAMES, OPERATIONS, type OperationName } from '../../../contracts/operations.ts'
import {
  forgiveAddedQuery,
  forgiveCertificate,
  forgiveExpiredKey,
  forgiveReportScope,
  forgiveSignature,
  forgiveToken,
  isTargetOf,
  leaveUnsigned,
  SIGNATURE_FAULTS,
  TOKEN_FAULTS,
  withExpiredKey,
} from './grid-layer-mutations.ts'
import type { Mutant, Mutation } from './mutant.ts'
import { replaceReplies, withStatusAndCode } from './mutations-of-matching-calls.ts'

const SIGNED = OPERATION_NAMES.filter(name => name !== 'keySet')
const TOKENED = SIGNED.filter(name => name !== 'token')
const isPost = (name: OperationName) => OPERATIONS[name].method === 'POST'

/** Operations whose scope the document names (5.3). */
const SCOPED = ['initiate', 'capture', 'cancel', 'refund', 'reports', 'downloadReport'] as const

type LayerMutants = readonly [
  row: string,
  does: string,
  operations: readonly OperationName[],
  mutation: (operation: OperationName) => Mutation,
  more?: Partial<Mutant>,
]

// biome-ignore format: a table reads by its columns
const LAYERS: readonly LayerMutants[] = [
  ['GRD-01', 'asks for no client certificate on',              SIGNED.filter(name => name !== 'token' && name !== 'status'), name => forgiveCertificate(name, owner => owner === undefined)],
  ['GRD-02', "accepts another organization's certificate on",  SIGNED,                                                       name => forgiveCertificate(name, owner => owner !== undefined)],
  ['GRD-03', 'asks for no token on',                           TOKENED.filter(name => name !== 'status' && name !== 'mockSet'), name => forgiveToken(name, TOKEN_FAULTS.missing)],
  ['GRD-04', 'accepts any text as a token on',                 TOKENED.filter(name => name !== 'status'),                    name => forgiveToken(name, TOKEN_FAULTS.garbled)],
  ['GRD-05', 'never verifies the signature of a token on',     TOKENED,                                                      name => forgiveToken(name, TOKEN_FAULTS.tampered)],
  ['GRD-06', 'asks for no scope on',                           SCOPED,                                                       name => forgiveToken(name, TOKEN_FAULTS.scopeless)],
  ['GRD-07', "accepts another organization's token on",        TOKENED,                                                      name => forgiveToken(name, TOKEN_FAULTS.foreign), { stopsOthers: true }],
  ['GRD-08', 'asks for no signature on',                       SIGNED.filter(name => name !== 'token' && name !== 'mockSet'), name => forgiveSignature(name, SIGNATURE_FAULTS.missing)],
  ['GRD-09', 'never verifies the bytes of a signature on',     SIGNED.filter(isPost),                                        name => forgiveSignature(name, SIGNATURE_FAULTS.unverified)],
  ['GRD-10', 'compares no digest with the body on',            SIGNED.filter(name => isPost(name) && name !== 'token'),      name => forgiveSignature(name, SIGNATURE_FAULTS.digest)],
  ['GRD-10', 'signs only a part of the query on',              SIGNED.filter(name => !isPost(name)),                         forgiveAddedQuery],
  ['GRD-80', 'takes a query that nobody signed on',              SIGNED.filter(name => isPost(name) && name !== 'token'),      forgiveAddedQuery],
  ['GRD-11', 'lets clients choose what they sign on',          SIGNED.filter(name => name !== 'token' && name !== 'status'), name => forgiveSignature(name, SIGNATURE_FAULTS.list)],
  ['GRD-36', 'accepts an expired key on',                      TOKENED,                                                      forgiveExpiredKey, { profile: withExpiredKey }],
  ['GRD-37', 'accepts a deregistered key on',                  TOKENED,                                                      name => forgiveSignature(name, SIGNATURE_FAULTS.deregistered)],
  ['GRD-38', "accepts another organization's key on",          SIGNED,                                                       name => forgiveSignature(name, SIGNATURE_FAULTS.foreign)],
  ['GRD-39', 'does not sign what it serves on',                SIGNED.filter(name => name !== 'status' && name !== 'downloadReport'), leaveUnsigned],
]

/** Further checks that catch a fault on one operation: LIF-25 reads with the token of an organization of its own. */
const ALSO: Readonly<Record<string, readonly string[]>> = { 'GRD-07 status': ['LIF-25'] }

/** What a service may say 401 to, by the beginning of the code, and the operations of which one does. */
const TAKEN_FOR_UNAUTHENTICATED = [
  ['GRD-01', 'a missing client certificate', '498', ['capture', 'finalize', 'events', 'reports']],
  ['GRD-10', 'a digest of another body', '499', ['initiate', 'finalize', 'charge', 'capture', 'refund', 'search']],
] as const

const DENIAL = { http: 401, body: '{"status":"DECLINED","statusInfo":{"reasonCode":"4970","message":"No."}}' }

/**
 * Mutants of the grid operation × layer: one operation forgives one fault of one layer, or carries out what it refuses
 * (5).
 */
export const GRID_LAYER_MUTANTS: readonly Mutant[] = [
  ...LAYERS.flatMap(([row, does, operations, mutation, more]) =>
    operations.map(operation => ({
      does: `${does} ${operation}`,
      caughtBy: [row, ...(ALSO[`${row} ${operation}`] ?? [])],
      only: ['GRD'],
      mutation: mutation(operation),
      ...more,
    })),
  ),
  ...(['status', 'events', 'search', 'providers'] as const).map(operation => ({
    does: `asks for no scope of payments on ${operation}`,
    caughtBy: ['GRD-40'],
    only: ['GRD'],
    mutation: forgiveReportScope(operation),
  })),
  ...TAKEN_FOR_UNAUTHENTICATED.flatMap(([row, what, code, operations]) =>
    operations.map(operation => ({
      does: `says 401 to ${what} on ${operation}`,
      caughtBy: [row],
      only: ['GRD'],
      mutation: replaceReplies(
        ({ incoming }, { http, body }) =>
          http === 400 && isTargetOf(operation, incoming.url) && body.includes(`"reasonCode":"${code}`),
        withStatusAndCode(401),
      ),
    })),
  ),
  ...(['finalize', 'capture', 'cancel', 'refund'] as const).map(operation => ({
    does: `refuses ${operation} without a token, and carries it out`,
    caughtBy: ['GRD-12', 'GRD-61'],
    only: ['GRD'],
    stopsOthers: true as const,
    mutation: forgiveToken(operation, TOKEN_FAULTS.missing, DENIAL),
  })),
]
