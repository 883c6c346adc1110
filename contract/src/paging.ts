import { z } from 'zod'

/** The default number of orders per page. */
export const DEFAULT_PAGE_SIZE = 20
export const MAX_PAGE_SIZE = 100

/** The number of page buttons shown. */
export const PAGE_WINDOW = 5

/** `page` (from 1) and `pageSize` (1 to 100), converted from the text of a query string. */
export const PageQuery = z.object({
  page: z.coerce.number().int().min(1).max(10_000_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
})
export type PageQuery = z.infer<typeof PageQuery>

export const Pagination = z.object({
  currentPage: z.number().int(),
  /** 0 when there are no records. */
  totalPages: z.number().int(),
  totalRecords: z.number().int(),
  hasNextPage: z.boolean(),
})
export type Pagination = z.infer<typeof Pagination>
