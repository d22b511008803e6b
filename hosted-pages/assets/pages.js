// Script of every hosted page: follows the stream of changes, runs countdown and clocks. Pages work without it.

const DRAW_EVERY_MS = 200
const URGENT_SECONDS = 10
const OPEN_AGAIN_MS = 5000
const OPEN_AGAIN_AT_MOST_MS = 60_000
const LATE_MS = 300
const STREAMS = ['stream-1', 'stream-2', 'stream-3']
const POLL_EVERY_MS = 2000
const POLL_MS = 250
const LEAVE_MS = 5000

const streaming = () => document.querySelector('[data-stream]')
const shown = (page = document) => page.querySelector('[data-countdown]')

let leaving = false
let stayed
let renewing
let clock = { left: 0, rate: 1, since: 0 }
let source
let taken
let seen
let reopening
let pause = OPEN_AGAIN_MS

/** Asks for a stream that may stay open, and returns what gives it back. A browser has six connections to a server over HTTP/1.1: if the streams of all its pages took them, its forms would hang. */
async function takeStream() {
  if (!navigator.locks) return window.top === window ? () => {} : undefined // over plain HTTP in a network
  for (const name of STREAMS) {
    const giveBack = await new Promise(tell => {
      const hold = lock => (lock ? new Promise(tell) : tell())
      navigator.locks.request(name, { ifAvailable: true }, hold).catch(() => tell())
    })
    if (giveBack) return giveBack
  }
}

function endStream() {
  clearTimeout(reopening)
  source?.close()
  source = undefined
  taken?.then(giveBack => giveBack?.())
  taken = undefined
}

/** Opens the one stream of the page. Hidden pages have none: what they miss is told when they are seen again. */
async function follow() {
  endStream()
  if (!streaming() || document.hidden || leaving) return
  const mine = takeStream()
  taken = mine
  const stays = await mine
  if (taken === mine) openStream(stays !== undefined)
}

/** Without a stream that stays the page polls: it opens one now and then, for as long as the server needs to tell what is new. */
function openStream(stays) {
  const address = new URL(streaming().dataset.stream, location.href)
  if (seen) address.searchParams.set('seen', seen)
  source = new EventSource(address)
  source.addEventListener('stage', ({ data }) => learn(JSON.parse(data)))
  source.addEventListener('changed', ({ data, lastEventId }) => {
    if (leaving) return
    seen = lastEventId
    dispatchEvent(new CustomEvent('changed', { detail: data.split(' ') }))
  })
  source.onopen = ({ target }) => {
    pause = OPEN_AGAIN_MS
    tell('live')
    if (stays) return
    setTimeout(() => target.close(), POLL_MS)
    reopening = setTimeout(follow, POLL_EVERY_MS)
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

/** A stream that the server refused: where its page is gone or at another stage, that is shown. */
async function openAgain() {
  if (streaming()?.dataset.stage) await renew({ ifOther: true }).catch(() => {})
  follow()
}

/** Takes the stage that the server tells; the page itself is fetched only when that has changed. */
function learn(told) {
  if (told.stage === streaming()?.dataset.stage) setClock(told)
  else renew().catch(() => {})
}

const stageIn = page => page.querySelector('[data-stage]')?.dataset.stage

const stylesOf = page => Array.from(page.querySelectorAll('link'), ({ href }) => href).join()
const heading = page => page.querySelector('main h1')

/** Shows a page in place of that which is shown. Where its heading is the same, questions stay open and the focus where it is; a frame takes none from another. */
function replaceBody(fresh) {
  const focused = document.activeElement
  const isSame = heading(fresh)?.textContent === heading(document)?.textContent
  const moves = (focused !== document.body || !isSame) && (window.top === window || document.hasFocus())
  const open = Array.from(document.querySelectorAll('details[open]'), ({ innerHTML }) => innerHTML)
  document.body.replaceWith(fresh.body)
  for (const details of document.querySelectorAll('details')) details.open ||= open.includes(details.innerHTML)
  if (!moves) return
  const again = Array.from(document.querySelectorAll(focused.tagName)).find(one => one.isEqualNode(focused))
  const next = (isSame && again) || heading(document)
  next?.focus({ preventScroll: true })
}

/** Shows the page as it is now, or with `ifOther` only where it is at another stage: what is typed in it stays. */
async function renew({ ifOther = false } = {}) {
  renewing?.abort() // its answer may come after that of this one
  renewing = new AbortController()
  const answer = await fetch(location.href, { signal: renewing.signal })
  if (leaving) return
  if (answer.status === 404) return location.reload()
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (leaving || !answer.ok) return
  if (ifOther && stageIn(fresh) === stageIn(document)) return startClock(fresh)
  if (stylesOf(fresh) !== stylesOf(document)) return location.reload()
  document.documentElement.lang = fresh.documentElement.lang
  document.documentElement.dataset.theme = fresh.documentElement.dataset.theme ?? 'system'
  document.title = fresh.title
  const address = streaming()?.dataset.stream
  replaceBody(fresh)
  startClock()
  if (streaming()?.dataset.stream !== address) follow()
}

/** Takes the time from the server, and how fast the organization's clock runs: at rate 0 it stands still. */
function setClock({ now, rate, expiresAt }) {
  clock = { left: expiresAt - now, rate: Number(rate), since: performance.now() }
}

const timeLeft = () => clock.left - (performance.now() - clock.since) * clock.rate

function startClock(page = document) {
  const countdown = shown(page)
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

/** Follows changes again: a page that is seen, or still there a while after a form was sent, stays, as where that began a download or an app. */
function stay() {
  if (!document.hidden) leaving = false
  follow()
}

document.addEventListener('visibilitychange', stay)
// A page that is on its way elsewhere must not be replaced under the browser's hands; one that comes back must.
addEventListener('submit', event => {
  leaving = !event.defaultPrevented && !staysHere(event.target)
  clearTimeout(stayed)
  if (leaving) stayed = setTimeout(stay, LEAVE_MS)
})
addEventListener('pagehide', endStream)
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
