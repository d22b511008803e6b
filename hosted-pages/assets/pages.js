// Script of every hosted page: follows the stream of changes, runs countdown and clocks. Pages work without it.

const DRAW_EVERY_MS = 200
const URGENT_SECONDS = 10
const OPEN_AGAIN_MS = 5000
const OPEN_AGAIN_AT_MOST_MS = 60_000
const LATE_MS = 300

const streaming = () => document.querySelector('[data-stream]')
const shown = () => document.querySelector('[data-countdown]')

let leaving = false
let clock = { left: 0, rate: 1, since: 0 }
let source
let seen
let reopening
let pause = OPEN_AGAIN_MS

/** Opens the one stream of the page. Hidden pages have none: what they miss is told when they are seen again. */
function follow() {
  clearTimeout(reopening)
  source?.close()
  source = undefined
  const page = streaming()
  if (!page || document.hidden || leaving) return
  const address = new URL(page.dataset.stream, location.href)
  if (seen) address.searchParams.set('seen', seen)
  source = new EventSource(address)
  source.addEventListener('stage', ({ data }) => learn(JSON.parse(data)))
  source.addEventListener('changed', ({ data, lastEventId }) => {
    if (leaving) return
    seen = lastEventId
    dispatchEvent(new CustomEvent('changed', { detail: data.split(' ') }))
  })
  source.onopen = () => {
    pause = OPEN_AGAIN_MS
    tell('live')
  }
  source.onerror = () => {
    tell('broken')
    if (source.readyState !== EventSource.CLOSED) return
    reopening = setTimeout(openAgain, pause)
    pause = Math.min(2 * pause, OPEN_AGAIN_AT_MOST_MS)
  }
}

function tell(state) {
  document.documentElement.dataset.connection = state
  dispatchEvent(new Event('connection'))
}

/** A stream that the server refused: where its page is gone, that is shown. */
async function openAgain() {
  if (streaming()?.dataset.stage) await renew().catch(() => {})
  follow()
}

/** Takes the stage that the server tells; the page itself is fetched only when that has changed. */
function learn(told) {
  if (told.stage === streaming()?.dataset.stage) setClock(told)
  else renew().catch(() => {})
}

async function renew() {
  const answer = await fetch(location.href)
  if (leaving) return
  if (answer.status === 404) return location.reload()
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (leaving || !answer.ok) return
  document.documentElement.lang = fresh.documentElement.lang
  document.documentElement.dataset.theme = fresh.documentElement.dataset.theme ?? 'system'
  document.title = fresh.title
  const address = streaming()?.dataset.stream
  document.body.replaceWith(fresh.body)
  startClock()
  if (streaming()?.dataset.stream !== address) follow()
  document.querySelector('main h1')?.focus({ preventScroll: true })
}

/** Takes the time from the server, and how fast the organization's clock runs: at rate 0 it stands still. */
function setClock({ now, rate, expiresAt }) {
  clock = { left: expiresAt - now, rate: Number(rate), since: performance.now() }
}

const timeLeft = () => clock.left - (performance.now() - clock.since) * clock.rate

function startClock() {
  const countdown = shown()
  if (countdown) setClock(countdown.dataset)
}

function drawCountdown() {
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
  if (seconds === 0) setTimeout(() => renew().catch(() => {}), LATE_MS) // nothing but time has changed: no event tells it
}

const begun = new WeakMap()

/** Lets the clocks of organizations tick, each from what the server said and at its rate. */
function drawClocks() {
  for (const time of document.querySelectorAll('[data-clock]')) {
    if (!begun.has(time)) begun.set(time, Date.now())
    const now = Number(time.dataset.clock) + (Date.now() - begun.get(time)) * Number(time.dataset.rate)
    const text = new Date(now).toISOString().slice(0, 19).replace('T', ' ')
    if (time.textContent !== text) time.textContent = text
  }
}

function draw() {
  if (document.hidden) return
  drawCountdown()
  drawClocks()
}

/** Whether a form leads to a place in the page that is shown: the browser then only scrolls there. */
function staysHere(form) {
  const next = new URL(form.getAttribute('action') ?? '', location.href)
  if (form.getAttribute('method') !== 'get' || next.hash === '') return false
  next.search = new URLSearchParams(new FormData(form))
  return next.href.split('#', 1)[0] === location.href.split('#', 1)[0]
}

document.addEventListener('visibilitychange', follow)
// A page that is on its way elsewhere must not be replaced under the browser's hands; one that comes back must.
addEventListener('submit', event => {
  leaving = !event.defaultPrevented && !staysHere(event.target)
})
addEventListener('pagehide', () => source?.close())
addEventListener('pageshow', event => {
  leaving = false
  if (!event.persisted) return
  if (streaming()?.dataset.stage) renew().catch(() => {})
  follow()
})

document.documentElement.toggleAttribute('data-framed', window.top !== window)
startClock()
follow()
setInterval(draw, DRAW_EVERY_MS)
