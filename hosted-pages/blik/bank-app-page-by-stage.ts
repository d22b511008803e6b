import { html } from 'hono/html'
import { countdown } from '../countdown.ts'
import type { Html } from '../layout.ts'
import type { Say } from '../text-lookup-by-language.ts'
import { askScreen, askTitle, confirmingScreen, keepScreen } from './approval-screens.ts'
import { bankAppFrame, closeLink } from './bank-app-frame.ts'
import { codeDigits } from './code-digits-with-copy-button.ts'
import { CODE_SECONDS, codePath, type Screen, stageOf } from './code-stage-and-screen-paths.ts'
import { endOf, endScreen, shownStageOf } from './end-screen.ts'
import type { CodeView, Phone } from './phone-and-code-types.ts'

/** Returns the page of one BLIK code in its current stage, from its creation to the end of its payment. */
export function codePageByStage(say: Say, phone: Phone, view: CodeView, screen?: Screen, isDemo = false): Html {
  const staged = stageOf(view)
  const { stage, payment } = staged
  const shownStage = shownStageOf(staged, phone.shops)
  const waits = shownStage.isLast ? {} : { stream: `${codePath(view)}/stream`, stage: shownStage.stage }
  if (stage === 'code') return bankAppFrame(say, phone, say('codeTitle'), waits, codeScreen(say, phone, view))
  if (stage === 'waiting') {
    const keeping = screen === 'keep' && payment.transactionType === 'RECURRING'
    const title = say(keeping ? 'askKeepTitle' : askTitle(payment))
    const shown = keeping ? keepScreen(say, view, payment) : askScreen(say, phone, view, payment, { screen, isDemo })
    return bankAppFrame(say, phone, title, waits, shown)
  }
  if (stage === 'confirming')
    return bankAppFrame(say, phone, say('confirmingTitle'), waits, confirmingScreen(say, phone, view, payment))
  const end = endOf(stage, payment, phone.shops)
  return bankAppFrame(say, phone, say(end.title), waits, endScreen(say, phone, payment, end))
}

const codeScreen = (say: Say, phone: Phone, view: CodeView): Html => html`
<h1 tabindex="-1">${say('codeTitle')}</h1>
<p class="lead">${say('codeLead')}</p>
<div class="code-panel">
${codeDigits(say, view.code)}
</div>
${countdown({ testId: 'blik-countdown', label: say('codeLeft'), ...view, wholeInSeconds: CODE_SECONDS })}
<div class="actions">
<p class="pulse">${say('waitingForShop')}</p>
<noscript><p class="quiet-line">${say('withoutScript')}</p>
<a class="button" href="${codePath(view)}" data-testid="blik-refresh">${say('refresh')}</a></noscript>
${closeLink(say, phone)}
</div>`
