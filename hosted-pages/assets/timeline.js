// Script of the timeline page: shows the details of a mark, moves between marks by arrow keys, polls for new marks.

const ASK_EVERY_MS = 2000

const figure = () => document.querySelector('.timeline')
const card = () => document.querySelector('.card-of-mark')

function tell(mark) {
  const row = document.querySelector(mark.getAttribute('href'))
  if (!row) return
  const [time, , what, facts] = row.cells
  card().replaceChildren(
    ...[time.firstElementChild, what.firstElementChild, ...facts.querySelectorAll('span')].map(part =>
      part.cloneNode(true),
    ),
  )
  card().hidden = false
  const [around, place] = [figure().getBoundingClientRect(), mark.getBoundingClientRect()]
  const left = Math.min(place.left - around.left, around.width - card().offsetWidth - 8)
  const below = place.bottom - around.top + 8
  card().style.setProperty('left', `${Math.max(8, left)}px`)
  card().style.setProperty('top', `${below}px`)
}

const hide = () => {
  card().hidden = true
}

for (const [event, act] of [
  ['focusin', tell],
  ['mouseover', tell],
  ['focusout', hide],
  ['mouseout', hide],
])
  document.addEventListener(event, ({ target }) => {
    const mark = target.closest?.('.timeline .pt')
    if (mark) act(mark)
  })

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

document.addEventListener('keydown', event => {
  const mark = event.target.closest?.('.timeline .pt')
  if (event.key === 'Escape') hide()
  if (!mark || !(event.key in STEPS)) return
  event.preventDefault()
  const all = [...mark.closest('svg').querySelectorAll('.pt')]
  const number = one => Number(one.getAttribute('href').slice(2))
  const ordered = all.sort((a, b) => number(a) - number(b))
  ordered[ordered.indexOf(mark) + STEPS[event.key]]?.focus()
})

/** Asks how many marks there are; the page itself is fetched only when that has changed and nobody is reading a mark. */
async function ask() {
  const { live, count } = figure().dataset
  const busy = document.hidden || document.activeElement.closest('.timeline .pt') || !card().hidden
  if (!busy) {
    const answer = await fetch(live)
    const told = answer.ok ? await answer.json() : undefined
    if (told && told.marks.length !== Number(count)) await renew()
  }
}

async function renew() {
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html')
  for (const part of ['.timeline', '.marks', 'main h1'])
    document.querySelector(part).replaceWith(page.querySelector(part))
}

async function keepAsking() {
  await ask().catch(() => {})
  setTimeout(keepAsking, ASK_EVERY_MS)
}
setTimeout(keepAsking, ASK_EVERY_MS)
