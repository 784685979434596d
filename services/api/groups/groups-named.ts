export { groupsNamed } from './queries.ts'
