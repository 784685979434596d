export { groupsNamed, readMembers } from './queries.ts'
