// Script of the overview: asks now and then whether something happened, and renews what is shown. It works without it.

const ASK_EVERY_MS = 2000

const shown = () => document.querySelector('[data-fresh]')

async function renew() {
  const answer = await fetch(location.href)
  if (!answer.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('[data-fresh]')
  const old = shown()
  if (!fresh || !old) return
  // What is open stays open, and what has the focus keeps it.
  const open = [...old.querySelectorAll('details[open]')].map(one => one.closest('[data-testid]')?.dataset.testid)
  const focused = old.contains(document.activeElement)
    ? [...old.querySelectorAll('a, button, summary')].indexOf(document.activeElement)
    : -1
  old.replaceWith(fresh)
  for (const id of open) fresh.querySelector(`[data-testid="${id}"] details`)?.setAttribute('open', '')
  if (focused >= 0) fresh.querySelectorAll('a, button, summary')[focused]?.focus({ preventScroll: true })
  for (const button of fresh.querySelectorAll('[data-copy]')) button.hidden = !navigator.clipboard
}

async function ask() {
  const page = shown()
  if (!page || document.hidden) return
  const answer = await fetch(page.dataset.fresh)
  if (answer.ok && (await answer.json()).stage !== page.dataset.stage) await renew()
}

async function keepAsking() {
  await ask().catch(() => {}) // the sandbox may be restarting: the next question finds it
  setTimeout(keepAsking, ASK_EVERY_MS)
}

document.addEventListener('visibilitychange', () => ask().catch(() => {}))
setTimeout(keepAsking, ASK_EVERY_MS)
