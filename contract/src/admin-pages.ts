import { paths } from './pages.ts'

/** The path of the form of one pharmacy. @param pharmacyId the id, or a pattern such as `:pharmacyId` */
export const adminPharmacyPath = (pharmacyId: string) => `/admin/pharmacies/edit/${pharmacyId}`

/** The path of what a pharmacy shows of itself. @param pharmacyId as above */
export const adminProfilePath = (pharmacyId: string) => `${adminPharmacyPath(pharmacyId)}/profile`

/** The path of a support visit to a pharmacy. @param pharmacyId as above */
export const adminVisitPath = (pharmacyId: string) => `/admin/visit/${pharmacyId}`

const known: readonly string[] = Object.values(paths)

const ofOnePharmacy = /^\/admin\/(pharmacies\/edit\/[\w-]+(\/profile)?|visit\/[\w-]+(\/offers)?)$/

/** Whether a page of the application has the path. The server answers 404 for any other one. */
export function isPagePath(path: string): boolean {
  return known.includes(path) || ofOnePharmacy.test(path)
}
