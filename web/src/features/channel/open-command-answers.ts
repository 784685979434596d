import { part } from '../../ui/part.ts'

export const commandAnswersPart = part<typeof import('./hooks/CommandAnswers.tsx')>()
