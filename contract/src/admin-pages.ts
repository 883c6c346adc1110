import { paths } from './pages.ts'

/** The path of the form of one pharmacy. @param pharmacyId the id, or a pattern such as `:pharmacyId` */
export const adminPharmacyPath = (pharmacyId: string) => `/admin/pharmacies/edit/${pharmacyId}`

/** The path of what a pharmacy shows of itself. @param pharmacyId as above */
export const adminProfilePath = (pharmacyId: string) => `${adminPharmacyPath(pharmacyId)}/profile`

/** The path of a support session at a pharmacy. @param pharmacyId as above */
export const supportSessionPath = (pharmacyId: string) => `/admin/support/${pharmacyId}`

/** The path of the migration of a pharmacy's orders. @param pharmacyId as above */
export const adminMigrationPath = (pharmacyId: string) => `${paths.adminMigrations}/${pharmacyId}`

const known: readonly string[] = Object.values(paths)

const ofOnePharmacy =
  /^\/admin\/(pharmacies\/edit\/[\w-]+(\/profile)?|support\/[\w-]+(\/offers)?|orders-migration\/[\w-]+)$/

/** Whether a page of the application has the path. The server answers 404 for any other one. */
export function isPagePath(path: string): boolean {
  return known.includes(path) || ofOnePharmacy.test(path)
}
