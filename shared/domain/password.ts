const SPECIAL = new Set("!@#$%^&*()_+-=[]{};':|,./<>?`~")
const SHORTEST = 8
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

/** Returns the rules that the password violates, in the order of PASSWORD_RULES. */
export function unmetPasswordRules(password: string, confirmation: string): PasswordRule[] {
  const characters = [...password]
  const unmet: PasswordRule[] = []
  if (characters.length < SHORTEST) unmet.push('length')
  if (new TextEncoder().encode(password).length > LONGEST) unmet.push('longest')
  if (!/[0-9]/.test(password)) unmet.push('digit')
  if (!/[A-Z]/.test(password)) unmet.push('uppercase')
  if (!characters.some(character => SPECIAL.has(character))) unmet.push('special')
  if (password !== confirmation) unmet.push('match')
  return unmet
}
