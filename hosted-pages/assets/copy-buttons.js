// Part of the script of every hosted page: buttons that copy a text. Without a script they are hidden.

const TOAST_MS = 6000

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

document.addEventListener('click', async event => {
  const button = event.target.closest('[data-copy]')
  if (!button) return
  const { copy: text, what = text } = button.dataset
  const { copied, notCopied } = document.body.dataset
  if (!(await copy(text))) return announce(notCopied, true)
  button.dispatchEvent(new Event('copied', { bubbles: true }))
  const label = button.querySelector('span:not(.unseen)')
  if (label) label.textContent = copied
  announce(`${copied}: ${what}`, false)
})
