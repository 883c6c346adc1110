import { describe, expect, it } from 'vitest'
import {
  baseName,
  bucketName,
  isFolderName,
  isObjectName,
  newBucketName,
  objectName,
} from './names.ts'

describe("an object's name", () => {
  it.each([
    'a',
    'a/b.txt',
    'a/..b/c..d',
    'a/...',
    '.keep',
    "it's (1) & more, @ 9:00; a=b+c? $5!*_-.txt",
    'a'.repeat(1024),
  ])('may be %j', (name) => {
    expect(objectName(name)).toBe(name)
  })

  it.each([
    '',
    '/',
    '/a',
    'a/',
    'a//b',
    '.',
    '..',
    'a/../b',
    '../a',
    'a/..',
    'a/./b',
    'a\\b',
    '..\\a',
    'a\0b',
    'a\nb',
    'a%2fb',
    '%2e%2e/a',
    'a#b',
    'è.txt',
    'a\u202eb',
    'a'.repeat(1025),
  ])('is never %j', (name) => {
    expect(() => objectName(name)).toThrow('Invalid key')
    expect(isObjectName(name)).toBe(false)
  })

  it('ends with its last part', () => {
    expect(['a', 'a/b', 'a/b/c.d'].map(baseName)).toEqual(['a', 'b', 'c.d'])
  })

  it.each([
    ['', true],
    ['a/', true],
    ['a/b/', true],
    ['a', false],
    ['/', false],
    ['a//', false],
    ['../', false],
  ])('is in a folder %j: %s', (name, isOne) => {
    expect(isFolderName(name)).toBe(isOne)
  })
})

describe("a bucket's name", () => {
  it.each(['a', 'foto 2026', 'Foto_(1)', 'x'.repeat(100)])('may be %j', (name) => {
    expect([newBucketName(name), bucketName(name)]).toEqual([name, name])
  })

  it.each(['', '.', '..', 'a/b', 'a\\b', ' a', 'a ', 'è', 'a\0', 'a%2f', 'x'.repeat(101)])(
    'is never %j',
    (name) => {
      expect(() => newBucketName(name)).toThrow('Bucket name invalid')
      expect(() => bucketName(name)).toThrow('Bucket not found')
    },
  )

  it.each(['public', 'sign', 'list', 'list-v2', 'info', 'authenticated', 'upload'])(
    'is not what addresses have in its place: %s',
    (name) => {
      expect(() => newBucketName(name)).toThrow('Bucket name invalid')
    },
  )
})
