import { expect, it } from 'vitest';
import { parseSmolvmAddress, smolvmAddressProblem } from './smolvm-address.ts';

it.each([
  ['unix:///run/user/1000/smolvm.sock', { kind: 'unix', path: '/run/user/1000/smolvm.sock' }],
  ['unix:///tmp/a:b.sock', { kind: 'unix', path: '/tmp/a:b.sock' }],
  [`unix:///${'x'.repeat(99)}`, { kind: 'unix', path: `/${'x'.repeat(99)}` }],
  ['http://127.0.0.1:8080', { kind: 'http', hostname: '127.0.0.1', port: 8080 }],
  ['http://[::1]:8080/', { kind: 'http', hostname: '::1', port: 8080 }],
  ['http://localhost:80', { kind: 'http', hostname: 'localhost', port: 80 }],
  ['https://vm.example:443', { kind: 'https', hostname: 'vm.example', port: 443 }],
  ['https://vm.example:8443', { kind: 'https', hostname: 'vm.example', port: 8443 }],
])('rule 13: %s can be an address', (address, expected) => {
  expect(parseSmolvmAddress(address)).toEqual(expected);
});

it.each([
  ['', 'must name where smolvm listens'],
  ['smolvm.sock', 'must start with'],
  ['ws://127.0.0.1:8080', 'must start with'],
  ['unix://relative.sock', 'absolute path'],
  ['unix:///', 'absolute path'],
  ['unix:///tmp/a?b', 'without control characters'],
  ['unix:///tmp/%2e%2e/b', 'without control characters'],
  [`unix:///${'x'.repeat(100)}`, 'at most 100 bytes, has 101'],
  [`unix:///${'é'.repeat(50)}`, 'at most 100 bytes, has 101'],
  ['http://127.0.0.1', 'must name its port'],
  ['http://127.0.0.1:8080/api', 'must not have a path'],
  ['http://127.0.0.1:8080?x', 'must not have a path'],
  ['http://me:secret@127.0.0.1:8080', 'must not contain a user name'],
  ['http://192.168.0.9:8080', 'must use https'],
  ['http://127.0.0.1.thief.example:8080', 'must use https'],
  ['https://vm.example:99999', 'must be an address such as'],
  [`https://${'x'.repeat(2048)}:1`, 'at most 2048 bytes'],
])('rule 13: %s cannot', (address, words) => {
  expect(smolvmAddressProblem(address)).toContain(words);
  expect(smolvmAddressProblem(address)).not.toContain('secret');
});
