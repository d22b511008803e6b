import { formatDuration } from '../support/duration.ts'
import { toMagicValues } from './magic-values.ts'
import type { CodeByProvider, Scenario, ScenarioStep } from './scenario.ts'

/** Converts a scenario to the summary that pages display: its steps in order, each with its outcome and details. */
export const toScenarioSummary = (scenario: Scenario) => {
  const { name, title, clauses, providers, steps, shopper, settlement, dispute, mandate, webhooks = [] } = scenario
  const magic = toMagicValues(scenario)
  return {
    name,
    title,
    clauses,
    providers,
    ...(magic ? { magic } : {}),
    steps: [
      ...Object.entries(steps).map(([step, answer]) => ({
        step,
        outcome: answer.outcome ?? 'approved',
        more: detailsOf(answer),
      })),
      ...(shopper
        ? [{ step: 'shopper', outcome: shopper.outcome, more: [...codes(shopper.code), ...after(shopper)] }]
        : []),
      ...(settlement ? [{ step: 'settlement', outcome: 'later', more: after(settlement) }] : []),
      ...(dispute ? [{ step: 'dispute', outcome: dispute.outcome ?? 'open', more: after(dispute) }] : []),
      ...(mandate ? [{ step: 'mandate', outcome: 'revoked', more: after({ after: mandate.revokedAfter }) }] : []),
      ...webhooks.map(rule => ({
        step: 'webhook',
        outcome: rule.do,
        more: [...(rule.on ? [String(rule.on)] : []), ...after(rule)],
      })),
    ],
  }
}

const detailsOf = ({ code, statusInfo, fault, later }: ScenarioStep): string[] => [
  ...codes(code),
  ...(statusInfo ? [statusInfo.message] : []),
  ...(fault
    ? [
        [fault.kind, fault.done && `done: ${fault.done}`, fault.times > 1 && `× ${fault.times}`]
          .filter(Boolean)
          .join(', '),
      ]
    : []),
  ...(later ? [`${later.outcome} ${formatDuration(later.after)}`] : []),
]

const codes = (code: CodeByProvider | undefined): string[] =>
  code === undefined ? [] : typeof code === 'string' ? [code] : Object.entries(code).map(([id, one]) => `${id} ${one}`)

const after = ({ after: milliseconds }: { after?: number | undefined }): string[] =>
  milliseconds === undefined ? [] : [formatDuration(milliseconds)]
