/** Rules that a pattern decides, in the order in which pages and settings list them (interface 4.1, rules 2 to 5). */
export const PASSWORD_PATTERNS = {
  length: '.{8}',
  digit: '[0-9]',
  uppercase: '[A-Z]',
  special: '[!#-/:-@\\[\\]^-`{-~]',
} as const

export const SHOWN_PASSWORD_RULES = Object.keys(PASSWORD_PATTERNS) as (keyof typeof PASSWORD_PATTERNS)[]

// By characters: an emoji is one. Line breaks count.
const isMet = (rule: keyof typeof PASSWORD_PATTERNS, password: string) =>
  new RegExp(PASSWORD_PATTERNS[rule], 'su').test(password)

/** Bytes (interface 8). */
const LONGEST = 1_024

/** Interface 4.1, rules 2 to 5, and the longest password (interface 8). */
export const PASSWORD_RULES = {
  length: 'Use at least 8 characters.',
  longest: 'Use at most 1,024 characters.',
  digit: 'Add at least one digit.',
  uppercase: 'Add at least one uppercase letter.',
  special: 'Add at least one special character, such as ! or #.',
  match: 'The two passwords are not the same.',
} as const

export type PasswordRule = keyof typeof PASSWORD_RULES

const ORDER = Object.keys(PASSWORD_RULES)

/** Returns the rules that the password violates, in the order of PASSWORD_RULES. */
export function unmetPasswordRules(password: string, confirmation: string): PasswordRule[] {
  const unmet: PasswordRule[] = SHOWN_PASSWORD_RULES.filter(rule => !isMet(rule, password))
  if (new TextEncoder().encode(password).length > LONGEST) unmet.push('longest')
  if (password !== confirmation) unmet.push('match')
  return unmet.sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))
}
