import { customerPages } from './scripts/customer-pages.ts'

/** The pages of offers. */
export default customerPages({ name: 'public', document: 'offers.html' })
