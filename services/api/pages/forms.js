// Shows passwords, ticks rules, submits once.
const all = (selector, root = document) => [...root.querySelectorAll(selector)]

for (const button of all('.show-password')) {
  const input = button.previousElementSibling
  button.hidden = false
  button.onclick = () => {
    input.type = button.classList.toggle('is-revealed') ? 'text' : 'password'
    const { other } = button.dataset
    button.dataset.other = button.ariaLabel
    button.ariaLabel = other
  }
}

// Only the browser knows the fragment, which names a channel or message.
if (location.hash[1]) {
  for (const next of all('[name=next]')) next.value = next.value.split('#')[0] + location.hash
  for (const link of all('.other-page a')) link.hash = location.hash
}

// A password that can be shown is typed once.
const followers = all('[data-follows]')
for (const field of followers) field.hidden = true

const fields = all('.field').map(field => {
  const input = field.querySelector('input')
  const rules = all('[data-sentence]', field)
  const isMet = ({ dataset: { same, pattern } }) =>
    same ? input.value === document.getElementById(same).value : RegExp(pattern, 'su').test(input.value)

  const look = () => {
    for (const rule of rules) {
      const met = isMet(rule)
      rule.classList.toggle('is-met', met)
      if (met) rule.classList.remove('is-unmet')
      for (const state of all('[data-met]', rule)) state.textContent = state.dataset[met ? 'met' : 'unmet']
    }
    field.classList.toggle('is-fine', rules.every(isMet))
  }
  input.oninput = () => {
    input.ariaInvalid = null
    look()
  }
  if (input.value) look()

  return () => {
    look()
    const unmet = rules.filter(rule => !isMet(rule))
    for (const rule of unmet) rule.classList.add('is-unmet')
    for (const problems of all('.form-problems', field)) {
      problems.textContent = unmet.find(rule => rule.hidden)?.dataset.sentence
      input.ariaInvalid = unmet.length > 0
    }
    return !unmet.length || input.focus()
  }
})

for (const button of all('[data-fill]')) {
  button.onclick = () => {
    const input = document.getElementById(button.dataset.fill)
    input.value = button.textContent
    input.oninput()
    for (const problems of all('.form-problems', input.closest('.field'))) problems.textContent = ''
    button.parentElement.remove()
    input.focus()
  }
}

// The username is made from the name until somebody types it; `usernameFrom` of shared/domain does the same.
for (const name of all('[data-letters]')) {
  const letters = JSON.parse(name.dataset.letters)
  const made = () =>
    name.value
      .normalize('NFKD')
      .toLowerCase()
      .replace(/./gu, letter => letters[letter] ?? letter)
      .replace(/['\p{M}\p{Cf}]/gu, '')
      .replace(/[^a-z0-9_]+/g, '-')
      .replace(/^[-_]+/, '')
      .slice(0, 32)
      .replace(/-+$/, '')
  const username = document.getElementById('username')
  let last = made()
  name.addEventListener('input', () => {
    if (username.value === last) username.value = made()
    last = made()
    username.oninput()
  })
}

for (const button of all('form [data-busy]')) {
  const words = button.textContent
  button.form.onsubmit = () => {
    for (const field of followers)
      field.querySelector('input').value = document.getElementById(field.dataset.follows).value
    // Reversed: the first is focused last.
    const judged = fields.toReversed().map(judge => judge())
    if (button.ariaDisabled || !judged.every(Boolean)) return false
    button.ariaDisabled = true
    button.textContent = button.dataset.busy
  }
  // Usable again after Back.
  window.onpageshow = () => {
    button.ariaDisabled = null
    button.textContent = words
  }
}
