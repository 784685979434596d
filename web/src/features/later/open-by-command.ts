/** Reminders and scheduled messages for slash commands, whose chunk has them. */
import '../../i18n/later-strings.ts'

export { remind } from './saved.ts'
export { scheduleText } from './scheduled.ts'
