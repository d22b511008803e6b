// Part of the script of every hosted page: buttons that copy a text. Without a script they are hidden.

const TOAST_MS = 6000
const LABEL_MS = 3000

/** Copies a text where the page has no clipboard of its own: on plain HTTP, or where the browser refuses it. */
function copySelected(text) {
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'unseen'
  const focused = document.activeElement
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  focused?.focus({ preventScroll: true })
  return isCopied
}

const copy = async text =>
  navigator.clipboard?.writeText(text).then(
    () => true,
    () => copySelected(text),
  ) ?? copySelected(text)

let toast

/** Says a sentence to screen readers, and to everybody where it must be seen. */
function announce(text, isSeen) {
  let status = document.querySelector('body > [role=status]')
  if (!status) {
    status = document.createElement('p')
    status.setAttribute('role', 'status')
    document.body.append(status)
  }
  clearTimeout(toast)
  status.className = isSeen ? 'toast' : 'unseen'
  status.textContent = text
  if (isSeen) toast = setTimeout(() => status.remove(), TOAST_MS)
}

/** Says on a button that it has copied, for a moment: then it has its name again. */
function mark(button, copied) {
  const label = button.querySelector('span:not(.unseen)')
  const name = label?.textContent
  if (!label || name === copied) return
  label.textContent = copied
  setTimeout(() => {
    label.textContent = name
  }, LABEL_MS)
}

document.addEventListener('click', async event => {
  const button = event.target.closest('[data-copy]')
  if (!button) return
  const { copy: text, what = text } = button.dataset
  const { copied, notCopied } = document.body.dataset
  if (!(await copy(text))) return announce(notCopied, true)
  button.dispatchEvent(new Event('copied', { bubbles: true }))
  mark(button, copied)
  announce(`${copied}: ${what}`, false)
})
