import { describe, expect, it } from 'vitest'
import { pagination } from './paging.ts'

describe('the pages', () => {
  it.each([
    { page: 1, size: 20, total: 0, pages: 0, next: false },
    { page: 1, size: 20, total: 20, pages: 1, next: false },
    { page: 1, size: 20, total: 21, pages: 2, next: true },
    { page: 2, size: 20, total: 21, pages: 2, next: false },
    { page: 9, size: 20, total: 21, pages: 2, next: false },
    { page: 3, size: 1, total: 5, pages: 5, next: true },
  ])('page $page of $total by $size: $pages pages, next $next', (given) => {
    expect(pagination(given.page, given.size, given.total)).toEqual({
      currentPage: given.page,
      totalPages: given.pages,
      totalRecords: given.total,
      hasNextPage: given.next,
    })
  })
})
