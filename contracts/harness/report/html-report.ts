import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { html, raw } from 'hono/html'
import { visibleCharacters } from '../../protocol/visible-text.ts'
import { type Check, type CheckResult, VERDICTS, type Verdict } from '../judge/check.ts'
import { type ClauseCoverage, countClauseCoverage } from './clause-coverage.ts'
import { type ExcludedChecks, groupExcludedChecks } from './excluded-checks.ts'
import { type Exploration, explorationText, violationTitle } from './exploration.ts'
import { gridTables } from './grid-tables.ts'
import { checkHtml } from './render-check-html.ts'
import { differingText, unjudgedText } from './report-warnings.ts'
import { ATTENTION_VERDICTS, type RunReport } from './run-report.ts'

type Html = ReturnType<typeof html>

const read = (file: string): string => readFileSync(new URL(`page/${file}`, import.meta.url), 'utf8')

/** Renders a report as one self-contained HTML page: styles and script are inline, its CSP allows nothing else. */
export const toHtmlReport = async (report: RunReport, registry: ReadonlyMap<string, Check>): Promise<string> => {
  const style = ['report.css', 'checks.css', 'grid-tables.css', 'print.css'].map(read).join('')
  const script = read('report.js')
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${sha256(script)}'`
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<title>${report.profile.name}: ${reportHeadline(report).text}</title>
<style>${raw(style)}</style>
</head>
<body>
${top(report)}
<main>
${clausesView(countClauseCoverage(registry, report.checks))}
${gridTables(report.checks, registry)}
${exploredView(report.explored)}
${checksView(report)}
</main>
<script type="module">${raw(script)}</script>
</body>
</html>
`
  return visibleCharacters(String(await page))
}

const sha256 = (text: string): string => hash('sha256', text, 'base64')

/** Describes the outcome of a run in one line, with the tone in which it is shown. */
export const reportHeadline = ({
  summary,
  stopped,
  explored,
}: RunReport): { text: string; tone: 'good' | 'warn' | 'bad' } => {
  const { counts, chosen, strict } = summary
  const judged = counts.pass + counts.fail + counts.differs + counts.observed + counts.known + counts.stale
  if (counts.fail > 0) return { text: `${counts.fail} of ${chosen} checks failed`, tone: 'bad' }
  if (counts['harness error'] > 0)
    return { text: `The suite itself broke on ${counts['harness error']} checks`, tone: 'bad' }
  if (explored && explored.violations.length > 0)
    return {
      text: `No check failed, but exploring found a ${explored.violations.map(violationTitle).join('; ')}`,
      tone: 'bad',
    }
  if (judged === 0) return { text: 'Nothing could be measured', tone: 'bad' }
  if (stopped) return { text: 'Nothing failed before the run was stopped', tone: 'warn' }
  const open = counts.blocked + counts.untestable + counts.inconclusive
  if (counts.differs > 0) {
    const rest = open > 0 ? `, ${open} could not be judged` : ''
    const differing = `${counts.differs} of ${chosen} checks differ from decisions that the profile does not confirm`
    return strict
      ? { text: `${differing}, which counts as failed${rest}`, tone: 'bad' }
      : { text: `Nothing failed, but ${differing}${rest}`, tone: 'warn' }
  }
  if (open > 0) return { text: `Nothing failed, ${open} of ${chosen} checks could not be judged`, tone: 'warn' }
  const left = counts.withheld + counts['not applicable']
  const rest = left > 0 ? `, and ${left} of ${chosen} were left out` : ''
  return { text: `Nothing failed in ${judged} checks${rest}`, tone: 'good' }
}

const top = (report: RunReport): Html => {
  const { text, tone } = reportHeadline(report)
  const { profile, summary } = report
  const rest = summary.registered - summary.chosen
  const advice = [unjudgedText(report), differingText(report)].filter(said => said !== undefined)
  return html`<header>
<p class="eyebrow">Contract report</p>
<h1>${profile.name}</h1>
<dl class="facts">${facts(report).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<p class="headline ${tone}">${text}</p>
${verdictBar(summary.counts)}
<div class="filters" role="group" aria-label="Show only these verdicts">${VERDICTS.filter(
    verdict => summary.counts[verdict] > 0,
  ).map(
    verdict =>
      html`<button type="button" data-filter="${verdict}" data-tone="${verdict}" aria-pressed="false"><b>${summary.counts[verdict]}</b> ${verdict}</button>`,
  )}</div>
<p class="quiet">${summary.chosen} checks${rest > 0 ? `; ${rest} of ${summary.registered} were not chosen` : ''}. Exit code ${summary.exitCode}.</p>
${advice.map(said => html`<p>${said}.</p>`)}
${excludedView(groupExcludedChecks(report.checks))}
${report.stopped ? html`<p>Stopped early: ${report.stopped.reason}.</p>` : ''}
${report.layersOff ? html`<p>This deployment has layers switched off: ${report.layersOff}</p>` : ''}
<nav aria-label="On this page"><a href="#clauses">By clause</a>${report.checks.some(({ cells }) => cells) ? html` <a href="#grids">On every operation</a>` : ''}${report.explored ? html` <a href="#explored">Explored</a>` : ''} <a href="#checks">Checks</a></nav>
</header>`
}

/** Renders what the run left out, by reason: what the profile excludes, and what tier and patience do. */
const excludedView = (excluded: readonly ExcludedChecks[]): Html | string =>
  excluded.length === 0
    ? ''
    : html`<details class="excluded" open><summary>Left out of this run, and why</summary>
<ul>${excluded.map(({ verdict, reason, checks }) => html`<li><b>${verdict}</b> ${reason}: ${checks.join(', ')}</li>`)}</ul>
</details>`

/** Renders what exploring showed beside the checks. */
const exploredView = (explored: Exploration | undefined): Html | string =>
  explored === undefined
    ? ''
    : html`<h2 id="explored">Explored</h2>
<p>${explorationText(explored)}.</p>
${explored.violations.map(({ story }) => html`<pre>${story.join('\n')}</pre>`)}`

const facts = ({ target, tier, startedAt, suite, spent, only }: RunReport): [string, string | Html][] => [
  ['Address', html`<code>${target.baseUrl}</code>`],
  ['Environment', `${target.environment}, tier ${tier}`],
  ['When', startedAt.replace('T', ' ').replace(/\..*/, ' UTC')],
  ['Suite', `${suite.name} ${suite.version}, ${suite.checks} checks`],
  ...(only.length > 0 ? [['Only', only.join(', ')] satisfies [string, string]] : []),
  ...(spent
    ? [['Spent', `${spent.calls} calls, ${spent.writes} writes, ${spent.payments} payments`] satisfies [string, string]]
    : []),
]

/** Renders a stacked bar of verdict shares; hidden from screen readers, as the numbers stand beside it. */
const verdictBar = (counts: Readonly<Record<Verdict, number>>): Html =>
  html`<span class="bar" aria-hidden="true">${VERDICTS.filter(verdict => counts[verdict] > 0).map(
    verdict => html`<i data-tone="${verdict}" style="--share:${counts[verdict]}"></i>`,
  )}</span>`

const clausesView = (rows: readonly ClauseCoverage[]): Html => html`<h2 id="clauses">By clause of the document</h2>
<ul class="clauses">${rows
  .filter(({ checks, unchosen }) => checks > unchosen)
  .map(
    ({ clause, checks, unchosen, counts }) =>
      html`<li><button type="button" data-clause="${clause}" aria-pressed="false" title="${countsText(counts)}"><span>${clause}</span>${verdictBar(counts)}<small>${counts.pass}/${checks - unchosen}</small></button></li>`,
  )}</ul>`

const countsText = (counts: Readonly<Record<Verdict, number>>): string =>
  VERDICTS.filter(verdict => counts[verdict] > 0)
    .map(verdict => `${counts[verdict]} ${verdict}`)
    .join(', ')

const checksView = (report: RunReport): Html => {
  const troubled = report.checks.filter(({ verdict }) => ATTENTION_VERDICTS.includes(verdict))
  const sorted = [...troubled].sort((a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict))
  const others = report.checks.filter(({ verdict }) => !ATTENTION_VERDICTS.includes(verdict))
  const areas = [...Map.groupBy(others, ({ id }) => id.replace(/-.*/, ''))]
  return html`<h2 id="checks">Checks</h2>
<div class="seek script-only" hidden><input id="search" type="search" placeholder="Search by id, clause or words" aria-label="Search checks"><span id="told" class="quiet" role="status"></span></div>
${sorted.length > 0 ? html`<section data-group aria-label="Not in order">${sorted.map(result => checkHtml(result, report))}</section>` : ''}
${areas.map(([area, results]) => areaView(area, results, report))}`
}

const areaView = (area: string, results: readonly CheckResult[], report: RunReport): Html => {
  const counts = Object.fromEntries(
    VERDICTS.map(verdict => [verdict, results.filter(result => result.verdict === verdict).length]),
  ) as Record<Verdict, number>
  return html`<details class="area" data-group><summary><span>${area}</span><span class="quiet">${countsText(counts)}</span>${verdictBar(counts)}</summary>
${results.map(result => checkHtml(result, report))}</details>`
}
