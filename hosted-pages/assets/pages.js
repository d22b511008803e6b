// Script of every hosted page: polls while a page waits, runs its countdown, copies texts. Pages work without it.

const ASK_EVERY_MS = 200
const DRAW_EVERY_MS = 200
const URGENT_SECONDS = 10

const waiting = () => document.querySelector('[data-live]')
const shown = () => document.querySelector('[data-countdown]')

let leaving = false
let clock = { left: 0, rate: 1, since: 0 }

/** Takes the time from the server, and how fast the organization's clock runs: at rate 0 it stands still. */
function setClock({ now, rate, expiresAt }) {
  clock = { left: expiresAt - now, rate: Number(rate), since: performance.now() }
}

const timeLeft = () => clock.left - (performance.now() - clock.since) * clock.rate

function startClock() {
  const countdown = shown()
  if (!countdown) return
  setClock(countdown.dataset)
}

function draw() {
  const countdown = shown()
  if (!countdown) return
  const seconds = Math.max(0, Math.ceil(timeLeft() / 1000))
  const time = countdown.querySelector('.time')
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  if (time.textContent === text) return
  time.textContent = text
  countdown.toggleAttribute('data-urgent', seconds <= URGENT_SECONDS)
  const share = Math.min(100, (100 * seconds) / Number(countdown.dataset.whole))
  countdown.querySelector('.left').setAttribute('stroke-dasharray', `${share} 100`)
}

/** Asks in which stage the payment is; the page itself is fetched only when that has changed. */
async function ask() {
  const page = waiting()
  if (!page || leaving) return
  const answer = await fetch(page.dataset.live)
  if (answer.status === 404) return location.reload()
  if (!answer.ok) return
  const told = await answer.json()
  if (told.stage === page.dataset.stage) setClock(told)
  else await renew()
}

async function renew() {
  const answer = await fetch(location.href)
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (leaving) return
  document.documentElement.lang = fresh.documentElement.lang
  document.title = fresh.title
  document.body.replaceWith(fresh.body)
  begin()
  document.querySelector('main h1')?.focus({ preventScroll: true })
}

async function keepAsking() {
  await ask().catch(() => {}) // the simulator may be restarting: the next question finds it
  setTimeout(keepAsking, Number(waiting()?.dataset.every ?? ASK_EVERY_MS))
}

function begin() {
  startClock()
  for (const button of document.querySelectorAll('[data-copy]')) button.hidden = !navigator.clipboard
}

async function copy(button) {
  await navigator.clipboard.writeText(button.dataset.copy)
  button.querySelector('span').textContent = button.dataset.done
}

document.addEventListener('click', event => {
  const button = event.target.closest('[data-copy]')
  if (button) copy(button)
})
// A page that is on its way elsewhere must not be replaced under the browser's hands; one that comes back must.
addEventListener('submit', () => {
  leaving = true
})
addEventListener('pageshow', event => {
  leaving = false
  if (event.persisted) ask().catch(() => {})
})

document.documentElement.toggleAttribute('data-framed', window.top !== window)
begin()
setInterval(draw, DRAW_EVERY_MS)
setTimeout(keepAsking, ASK_EVERY_MS)
