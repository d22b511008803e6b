// Part of the script of every hosted page: changes the theme in place, also in the frames of the stage. Without it the page loads anew.

document.addEventListener('submit', async event => {
  const { target: form, submitter } = event
  if (!form.matches('[data-theme-form]') || !submitter) return
  event.preventDefault()
  for (const page of [window, ...Array.from(window.frames)])
    page.document.documentElement.dataset.theme = submitter.value
  for (const button of form.querySelectorAll('button')) button.setAttribute('aria-pressed', button === submitter)
  const body = new URLSearchParams({ theme: submitter.value })
  await fetch(form.action, { method: 'POST', body, redirect: 'manual' }).catch(() => {}) // it holds on this page at least
})

// A page that is opened over another, as the switch is, closes at a click elsewhere and by Escape.
const closeSwitch = () => {
  const open = document.querySelector('.appearance details[open]')
  if (open?.contains(document.activeElement)) open.querySelector('summary').focus()
  open?.removeAttribute('open')
}
document.addEventListener('click', ({ target }) => target.closest('.appearance') ?? closeSwitch())
document.addEventListener('keydown', ({ key }) => key === 'Escape' && closeSwitch())
