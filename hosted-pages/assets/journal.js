// Script of the journal page: adds new calls live, filters while typing, opens a call in place. The page works without it.

const MOST_LINES = 500
const AT_ONCE = 200
const TYPING_MS = 200

const list = document.querySelector('.calls')
const form = document.querySelector('.filter-form')
const told = document.querySelector('.live')
const pause = document.querySelector('[data-pause]')

let source
let paused = false
let waiting = []

const lines = () => [...list.querySelectorAll('.jc')]
const say = text => {
  told.hidden = false
  told.textContent = text
}

/** Opens the line to the server: behind the newest call that is shown, so that none is missed and none comes twice. */
function follow() {
  source?.close()
  if (!('follow' in list.dataset)) return
  const query = new URLSearchParams(list.dataset.query)
  if (list.dataset.after) query.set('after', list.dataset.after)
  source = new EventSource(`${list.dataset.base}/stream?${query}`)
  source.onopen = () => {
    told.classList.remove('broken')
    say(told.dataset.liveNow)
  }
  source.onerror = () => {
    told.classList.add('broken')
    say(told.dataset.broken)
  }
  source.addEventListener('line', ({ data }) => arrive(data))
  source.addEventListener('missed', ({ data }) => say(list.dataset.missed.replace('{count}', data)))
}

/** New lines are put in once for each frame that is drawn, however many there are. */
function arrive(line) {
  waiting.push(line)
  if (waiting.length > MOST_LINES) waiting.shift()
  if (paused) say(list.dataset.waiting.replace('{count}', waiting.length))
  else if (waiting.length === 1) requestAnimationFrame(show)
}

function show() {
  if (waiting.length === 0) return
  const template = document.createElement('template')
  template.innerHTML = waiting.reverse().join('')
  waiting = []
  for (const item of template.content.children) item.classList.add('fresh')
  list.prepend(template.content)
  for (const item of [...list.children].slice(MOST_LINES)) item.remove()
  document.querySelector('.nothing').hidden = true
}

pause.hidden = !('follow' in list.dataset)
pause.addEventListener('click', () => {
  paused = !paused
  pause.setAttribute('aria-pressed', paused)
  pause.textContent = paused ? pause.dataset.goOn : pause.dataset.pause
  if (paused) return
  say(told.dataset.liveNow)
  show()
})

/** The page of a filter or of older calls, put in the place of what is shown, or below it. */
async function turnTo(address, below) {
  const answer = await fetch(address)
  if (!answer.ok) return location.assign(address)
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const fresh = page.querySelector('.calls')
  if (below) list.append(...fresh.children)
  else {
    list.replaceChildren(...fresh.children)
    for (const name of ['query', 'after']) list.dataset[name] = fresh.dataset[name]
    document.querySelector('.nothing').replaceWith(page.querySelector('.nothing'))
    waiting = []
    follow()
  }
  const more = document.querySelector('[rel=next]')
  const further = page.querySelector('[rel=next]')
  if (more && further) more.href = further.href
  else if (more) more.hidden = true
  else if (further) document.querySelector('.calls ~ .ways').prepend(further)
  if (more && further) more.hidden = false
}

let typing
form.addEventListener('input', () => {
  clearTimeout(typing)
  typing = setTimeout(filter, TYPING_MS)
})
form.addEventListener('submit', event => {
  event.preventDefault()
  clearTimeout(typing)
  filter()
})

async function filter() {
  const given = [...new FormData(form)].filter(([, value]) => value.trim() !== '')
  const query = new URLSearchParams(given)
  const address = query.size === 0 ? form.action : `${form.action}?${query}`
  history.replaceState(null, '', address)
  await turnTo(address, false)
}

/** Both sides of a call below its line. */
async function toggle(line) {
  const item = line.parentElement
  const open = item.querySelector('.call')
  line.setAttribute('aria-expanded', !open)
  if (open) return open.remove()
  const page = new DOMParser().parseFromString(await (await fetch(line.href)).text(), 'text/html')
  const call = page.querySelector('.call') ?? page.querySelector('.lead')
  call.removeAttribute('id')
  for (const button of call.querySelectorAll('[data-copy]')) button.hidden = !navigator.clipboard
  if (!item.querySelector('.call')) item.append(call)
}

document.addEventListener('click', event => {
  const held = event.ctrlKey || event.metaKey || event.shiftKey
  const line = event.target.closest('.calls .jc')
  const more = event.target.closest('[rel=next]')
  if (held || (!line && !more)) return
  event.preventDefault()
  if (line) toggle(line)
  else turnTo(`${more.href}&limit=${AT_ONCE}`, true)
})

const KEYS = {
  '/': () => form.elements.q.focus(),
  j: () => step(1),
  k: () => step(-1),
}

function step(by) {
  const all = lines()
  const at = all.indexOf(document.activeElement?.closest('.calls li')?.querySelector('.jc'))
  all[Math.max(0, Math.min(all.length - 1, at + by))]?.focus()
}

document.addEventListener('keydown', event => {
  if (event.key === 'Escape' && event.target === form.elements.q) return event.target.blur()
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea, select')) return
  const act = KEYS[event.key]
  if (!act) return
  event.preventDefault()
  act()
})

for (const button of document.querySelectorAll('.call [data-copy]')) button.hidden = !navigator.clipboard
addEventListener('pagehide', () => source?.close())
addEventListener('pageshow', event => event.persisted && follow())
follow()
