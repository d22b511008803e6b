/** Script of the HTML report page: filters checks by verdict, clause and text, and opens what a link leads to. */
const checks = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('[data-verdict]')])
const groups = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('[data-group]')])
const search = /** @type {HTMLInputElement} */ (document.querySelector('#search'))
const told = /** @type {HTMLElement} */ (document.querySelector('#told'))
const buttons = /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll('[data-filter]')])
const clauses = /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll('[data-clause]')])

const pressed = (/** @type {HTMLElement} */ button) => button.getAttribute('aria-pressed') === 'true'

const show = () => {
  const verdicts = buttons.filter(pressed).map(button => button.dataset.filter)
  const clause = clauses.find(pressed)?.dataset.clause
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  let count = 0
  for (const check of checks) {
    const text = check.dataset.text ?? ''
    check.hidden =
      (verdicts.length > 0 && !verdicts.includes(check.dataset.verdict)) ||
      (clause !== undefined && !(check.dataset.clauses ?? '').split(' ').includes(clause)) ||
      !words.every(word => text.includes(word))
    if (!check.hidden) count += 1
  }
  const narrowed = verdicts.length > 0 || clause !== undefined || words.length > 0
  for (const group of groups) {
    group.hidden = !group.querySelector('[data-verdict]:not([hidden])')
    if (narrowed && group instanceof HTMLDetailsElement) group.open = true
  }
  told.textContent = narrowed ? `${count} of ${checks.length} checks` : ''
}

/** Shows a part of the page, from which the keyboard goes on. */
const goTo = (/** @type {HTMLElement | null} */ part) => {
  if (!part) return
  part.tabIndex = -1
  part.focus({ preventScroll: true })
  part.scrollIntoView()
}

const heading = /** @type {HTMLElement | null} */ (document.querySelector('#checks'))

for (const button of buttons)
  button.addEventListener('click', () => {
    button.setAttribute('aria-pressed', String(!pressed(button)))
    show()
    if (pressed(button)) goTo(heading)
  })

for (const button of clauses)
  button.addEventListener('click', () => {
    const on = !pressed(button)
    for (const other of clauses) other.setAttribute('aria-pressed', 'false')
    button.setAttribute('aria-pressed', String(on))
    show()
    if (on) goTo(heading)
  })

search.addEventListener('input', show)

/** Shows all checks again if what a link leads to is filtered out, and opens what it is folded into. */
const reveal = () => {
  const aim = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!aim?.closest('[data-verdict]')) return
  if (aim.closest('[hidden]')) {
    for (const button of [...buttons, ...clauses]) button.setAttribute('aria-pressed', 'false')
    search.value = ''
    show()
  }
  for (let part = aim.closest('details'); part; part = part.parentElement?.closest('details') ?? null) part.open = true
  goTo(aim)
}

addEventListener('hashchange', reveal)
reveal()
for (const part of document.querySelectorAll('.script-only')) part.removeAttribute('hidden')
