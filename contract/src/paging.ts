import { z } from 'zod/mini'

/** The default number of orders per page. */
export const DEFAULT_PAGE_SIZE = 20
export const MAX_PAGE_SIZE = 100

/** The number of page buttons shown. */
export const PAGE_WINDOW = 5

/** `page` (from 1) and `pageSize` (1 to 100), converted from the text of a query string. */
export const PageQuery = z.object({
  page: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(10_000_000)), 1),
  pageSize: z._default(
    z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MAX_PAGE_SIZE)),
    DEFAULT_PAGE_SIZE,
  ),
})
export type PageQuery = z.infer<typeof PageQuery>

export const Pagination = z.object({
  currentPage: z.int(),
  /** 0 when there are no records. */
  totalPages: z.int(),
  totalRecords: z.int(),
  hasNextPage: z.boolean(),
})
export type Pagination = z.infer<typeof Pagination>

export function pagination(page: number, pageSize: number, totalRecords: number): Pagination {
  const totalPages = Math.ceil(totalRecords / pageSize)
  return { currentPage: page, totalPages, totalRecords, hasNextPage: page < totalPages }
}
