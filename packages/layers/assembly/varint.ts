/*
 * Reads and writes integers: of a fixed length, or varints, which have seven bits per byte, lowest
 * first; the top bit of a byte is set if another byte follows.
 */

/** Address of the next byte to read. */
export let readAt: usize = 0;
/** Address of the next byte to write. */
export let writeAt: usize = 0;

export function readFrom(at: usize): void {
  readAt = at;
}

export function writeTo(at: usize): void {
  writeAt = at;
}

@inline
export function readByte(): u32 {
  return load<u8>(readAt++);
}

@inline
export function writeByte(byte: u32): void {
  store<u8>(writeAt++, byte);
}

@inline
export function readNumber(): u64 {
  let byte: u64 = load<u8>(readAt++);
  let value = byte & 127;
  for (let shift: u64 = 7; byte > 127; shift += 7) {
    byte = load<u8>(readAt++);
    value |= (byte & 127) << shift;
  }
  return value;
}

/** Reads a number of `bytes` bytes, at most 8, the lowest first; the memory has 8. */
@inline
export function readFixed(bytes: u32): u64 {
  const value = load<u64>(readAt) & maskOf(bytes);
  readAt += bytes;
  return value;
}

/** Writes a number of `bytes` bytes, at most 8, the lowest first; there is room for 8. */
@inline
export function writeFixed(value: u64, bytes: u32): void {
  store<u64>(writeAt, value);
  writeAt += bytes;
}

/** Returns the largest number of `bytes` bytes, from 1 to 8. */
@inline
export function maskOf(bytes: u32): u64 {
  return u64.MAX_VALUE >> (64 - 8 * bytes);
}

@inline
export function writeNumber(value: u64): void {
  for (; value > 127; value >>= 7) store<u8>(writeAt++, <u8>(value | 128));
  store<u8>(writeAt++, <u8>value);
}
