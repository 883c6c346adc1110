import { customerPages } from './scripts/customer-pages.ts'

/** The pages of priority access, which customers and displays open. */
export default customerPages({ name: 'priority', document: 'priority.html' })
