// @ts-nocheck -- it has no types
/** JavaScript: made from `wasm/` by `npm run wasm`, not to be edited. */
export function kernelScript() {
 var buffer = new ArrayBuffer(0);
 var HEAP8 = new Int8Array(buffer);
 var HEAP16 = new Int16Array(buffer);
 var HEAP32 = new Int32Array(buffer);
 var HEAPU8 = new Uint8Array(buffer);
 var HEAPU16 = new Uint16Array(buffer);
 var HEAPU32 = new Uint32Array(buffer);
 var HEAPF32 = new Float32Array(buffer);
 var HEAPF64 = new Float64Array(buffer);
 var Math_imul = Math.imul;
 var Math_fround = Math.fround;
 var Math_abs = Math.abs;
 var Math_clz32 = Math.clz32;
 var Math_min = Math.min;
 var Math_max = Math.max;
 var Math_floor = Math.floor;
 var Math_ceil = Math.ceil;
 var Math_trunc = Math.trunc;
 var Math_sqrt = Math.sqrt;
 var global$0 = 512;
 var global$1 = 4;
 var global$2 = 65536;
 var global$3 = 1024;
 var global$4 = 525312;
 var global$5 = 0;
 var global$6 = 0;
 var global$7 = 0;
 var global$8 = 0;
 var global$9 = 0;
 var global$10 = 0;
 var global$11 = 0;
 var global$12 = 0;
 var global$13 = 0;
 var global$14 = 0;
 var global$15 = 0;
 var global$16 = 0;
 var global$17 = 0;
 var global$18 = 0;
 var global$19 = 0;
 var global$20 = 0;
 var global$21 = 0;
 var global$22 = 0;
 var global$23 = 0;
 var global$24 = 0;
 var global$25 = 0;
 var global$26 = 0;
 var global$27 = 0;
 var global$28 = 0;
 var global$29 = 0;
 var global$30 = 0;
 var global$31 = 0;
 var global$32 = 0;
 var global$33 = 0;
 var global$34 = 1;
 var global$35 = 0.0;
 var global$36 = 0;
 var global$37 = 0;
 var global$38 = 0;
 var global$39 = 0;
 var global$40 = 0.0;
 var global$41 = 0.0;
 var global$42 = 0;
 function $0($0_1, $1_1) {
  var $2_1 = 0, $3_1 = 0, $4_1 = 0, $5_1 = 0, $6_1 = 0, $7_1 = 0;
  $7_1 = global$34;
  $3_1 = $0_1;
  label : while (1) {
   if (($3_1 | 0) >= (4 | 0)) {
    $5_1 = HEAP32[(global$21 + ($3_1 << 2 | 0) | 0) >> 2]
   } else {
    $5_1 = 1
   }
   if (!$5_1) {
    global$34 = global$34 + 1 | 0;
    $3_1 = HEAP32[(global$18 + ($3_1 << 2 | 0) | 0) >> 2];
    continue label;
   }
   break label;
  };
  $2_1 = global$34 - 1 | 0;
  label1 : while (1) {
   if (($2_1 | 0) >= ($7_1 | 0)) {
    $6_1 = $0_1 << 2 | 0;
    HEAP32[($6_1 + global$21 | 0) >> 2] = $2_1;
    $4_1 = $2_1 << 2 | 0;
    HEAP32[($4_1 + global$24 | 0) >> 2] = $0_1;
    HEAP32[(global$25 + $4_1 | 0) >> 2] = HEAP32[(global$19 + $6_1 | 0) >> 2];
    $5_1 = $2_1 - 1 | 0;
    HEAP32[(global$26 + $4_1 | 0) >> 2] = $5_1;
    HEAP32[(global$27 + $4_1 | 0) >> 2] = $1_1;
    HEAP32[(global$28 + $4_1 | 0) >> 2] = 0;
    HEAP32[(global$29 + $4_1 | 0) >> 2] = 0;
    $2_1 = $2_1 << 3 | 0;
    HEAPF64[($2_1 + global$22 | 0) >> 3] = 0.0;
    HEAPF64[(global$23 + $2_1 | 0) >> 3] = 0.0;
    global$36 = global$36 | HEAPU8[(global$20 + $0_1 | 0) >> 0] | 0;
    $0_1 = HEAP32[(global$18 + $6_1 | 0) >> 2];
    $2_1 = $5_1;
    continue label1;
   }
   break label1;
  };
  $0_1 = global$26 + ($7_1 << 2 | 0) | 0;
  if (($3_1 | 0) < (4 | 0)) {
   $1_1 = 0
  } else {
   $1_1 = HEAP32[(global$21 + ($3_1 << 2 | 0) | 0) >> 2]
  }
  HEAP32[$0_1 >> 2] = $1_1;
  return global$34 - 1 | 0;
 }
 
 function $1($0_1) {
  $0_1 = $0_1 | 0;
  var $1_1 = 0;
  global$32 = global$33;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 2 | 0) + 7 | 0) & -8 | 0) | 0;
  global$18 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 2 | 0) + 7 | 0) & -8 | 0) | 0;
  global$19 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + (($0_1 + 7 | 0) & -8 | 0) | 0;
  global$20 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 2 | 0) + 7 | 0) & -8 | 0) | 0;
  global$21 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 3 | 0) + 7 | 0) & -8 | 0) | 0;
  global$22 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 3 | 0) + 7 | 0) & -8 | 0) | 0;
  global$23 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 2 | 0) + 7 | 0) & -8 | 0) | 0;
  global$24 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 2 | 0) + 7 | 0) & -8 | 0) | 0;
  global$25 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 2 | 0) + 7 | 0) & -8 | 0) | 0;
  global$26 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 2 | 0) + 7 | 0) & -8 | 0) | 0;
  global$27 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 2 | 0) + 7 | 0) & -8 | 0) | 0;
  global$28 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 2 | 0) + 7 | 0) & -8 | 0) | 0;
  global$29 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 2 | 0) + 7 | 0) & -8 | 0) | 0;
  global$30 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 2 | 0) + 7 | 0) & -8 | 0) | 0;
  global$31 = $1_1;
  return global$32 | 0;
 }
 
 function $2() {
  global$32 = 787456;
  global$33 = 787456;
 }
 
 function $3() {
  return +global$35;
 }
 
 function $4() {
  var $0_1 = 0, $1_1 = 0, $2_1 = 0, $3_1 = 0.0;
  $0_1 = global$34 - 1 | 0;
  label : while (1) {
   if (($0_1 | 0) > (0 | 0)) {
    $1_1 = $0_1 << 3 | 0;
    $2_1 = $1_1 + global$23 | 0;
    $3_1 = HEAPF64[$2_1 >> 3] + HEAPF64[(global$22 + $1_1 | 0) >> 3];
    HEAPF64[$2_1 >> 3] = $3_1;
    $1_1 = global$23 + (HEAP32[(global$26 + ($0_1 << 2 | 0) | 0) >> 2] << 3 | 0) | 0;
    HEAPF64[$1_1 >> 3] = HEAPF64[$1_1 >> 3] + $3_1;
    $0_1 = $0_1 - 1 | 0;
    continue label;
   }
   break label;
  };
  return global$34 | 0;
 }
 
 function $5() {
  return global$36 | 0;
 }
 
 function $6($0_1) {
  $0_1 = $0_1 | 0;
  global$34 = 1;
  return $1($0_1) | 0;
 }
 
 function $7() {
  var $0_1 = 0;
  $0_1 = 1;
  label : while (1) {
   if (($0_1 | 0) < (global$34 | 0)) {
    HEAP32[(global$21 + (HEAP32[(global$24 + ($0_1 << 2 | 0) | 0) >> 2] << 2 | 0) | 0) >> 2] = 0;
    $0_1 = $0_1 + 1 | 0;
    continue label;
   }
   break label;
  };
  global$34 = 1;
  global$35 = 0.0;
  global$36 = 0;
  HEAP32[global$24 >> 2] = 0;
  HEAP32[global$25 >> 2] = 0;
  HEAP32[global$26 >> 2] = 0;
  HEAP32[global$27 >> 2] = 0;
  HEAPF64[global$22 >> 3] = 0.0;
  HEAPF64[global$23 >> 3] = 0.0;
  HEAP32[global$28 >> 2] = 0;
  HEAP32[global$29 >> 2] = 0;
 }
 
 function $8($0_1, $1_1, $2_1, $3_1, $4_1) {
  $0_1 = $0_1 | 0;
  $1_1 = $1_1 | 0;
  $2_1 = $2_1 | 0;
  $3_1 = +$3_1;
  $4_1 = $4_1 | 0;
  var $5_1 = 0, $6_1 = 0, $7_1 = 0.0, $8_1 = 0, $9_1 = 0, $10_1 = 0, $11_1 = 0;
  $8_1 = $1_1 - 1 | 0;
  $9_1 = ($0_1 << 2 | 0) + 525312 | 0;
  $10_1 = ($0_1 << 3 | 0) + 1024 | 0;
  $0_1 = 0;
  label : while (1) {
   if (($0_1 | 0) < ($8_1 | 0)) {
    $7_1 = HEAPF64[($10_1 + ($0_1 << 3 | 0) | 0) >> 3];
    $11_1 = $0_1 + $2_1 | 0;
    $6_1 = HEAP32[($9_1 + ($0_1 << 2 | 0) | 0) >> 2];
    block : {
     if (($6_1 | 0) < (4 | 0)) {
      global$35 = global$35 + $7_1;
      break block;
     }
     $5_1 = HEAP32[(global$21 + ($6_1 << 2 | 0) | 0) >> 2];
     if (!$5_1) {
      $5_1 = $0($6_1, $11_1)
     }
     $6_1 = global$22 + ($5_1 << 3 | 0) | 0;
     HEAPF64[$6_1 >> 3] = HEAPF64[$6_1 >> 3] + $7_1;
     $5_1 = $5_1 << 2 | 0;
     $6_1 = $5_1 + global$28 | 0;
     HEAP32[$6_1 >> 2] = HEAP32[$6_1 >> 2] + 1 | 0;
     if (!$4_1) {
      break block
     }
     $5_1 = global$29 + $5_1 | 0;
     if ($7_1 > +(HEAP32[$5_1 >> 2] >>> 0)) {
      HEAP32[$5_1 >> 2] = ~~Math_min($7_1, 4294967295.0) >>> 0
     }
    }
    $0_1 = $0_1 + 1 | 0;
    continue label;
   }
   break label;
  };
  if (($1_1 | 0) > (0 | 0)) {
   block1 : {
    $1_1 = HEAP32[($9_1 + ($8_1 << 2 | 0) | 0) >> 2];
    if (($1_1 | 0) < (4 | 0)) {
     global$35 = global$35 + $3_1;
     break block1;
    }
    $0_1 = HEAP32[(global$21 + ($1_1 << 2 | 0) | 0) >> 2];
    if (!$0_1) {
     $0_1 = $0($1_1, $2_1 + $8_1 | 0)
    }
    $1_1 = global$22 + ($0_1 << 3 | 0) | 0;
    HEAPF64[$1_1 >> 3] = HEAPF64[$1_1 >> 3] + $3_1;
    $0_1 = $0_1 << 2 | 0;
    $1_1 = $0_1 + global$28 | 0;
    HEAP32[$1_1 >> 2] = HEAP32[$1_1 >> 2] + 1 | 0;
    if (!$4_1) {
     break block1
    }
    $0_1 = global$29 + $0_1 | 0;
    if ($3_1 > +(HEAP32[$0_1 >> 2] >>> 0)) {
     HEAP32[$0_1 >> 2] = ~~Math_min($3_1, 4294967295.0) >>> 0
    }
   }
  }
 }
 
 function $9($0_1, $1_1) {
  $0_1 = +$0_1;
  $1_1 = +$1_1;
  global$40 = $0_1;
  global$41 = $1_1;
 }
 
 function $10() {
  return global$39 | 0;
 }
 
 function $11() {
  return global$37 | 0;
 }
 
 function $12() {
  return global$38 | 0;
 }
 
 function $13() {
  var $0_1 = 0, $1_1 = 0, $2_1 = 0, $3_1 = 0, $4_1 = 0;
  label : while (1) {
   if (($1_1 | 0) < (global$34 | 0)) {
    $0_1 = $1_1 << 2 | 0;
    HEAP32[($0_1 + global$30 | 0) >> 2] = HEAP32[(global$28 + $0_1 | 0) >> 2];
    HEAP32[(global$31 + $0_1 | 0) >> 2] = HEAP32[(global$29 + $0_1 | 0) >> 2];
    $1_1 = $1_1 + 1 | 0;
    continue label;
   }
   break label;
  };
  $1_1 = global$34 - 1 | 0;
  label1 : while (1) {
   if (($1_1 | 0) > (0 | 0)) {
    $0_1 = $1_1 << 2 | 0;
    $2_1 = HEAP32[($0_1 + global$26 | 0) >> 2] << 2 | 0;
    $3_1 = $2_1 + global$30 | 0;
    HEAP32[$3_1 >> 2] = HEAP32[$3_1 >> 2] + HEAP32[(global$30 + $0_1 | 0) >> 2] | 0;
    $3_1 = global$31 + $2_1 | 0;
    $2_1 = HEAP32[$3_1 >> 2];
    $0_1 = HEAP32[(global$31 + $0_1 | 0) >> 2];
    HEAP32[$3_1 >> 2] = $0_1 >>> 0 < $2_1 >>> 0 ? $2_1 : $0_1;
    $1_1 = $1_1 - 1 | 0;
    continue label1;
   }
   break label1;
  };
  $1_1 = 0;
  label2 : while (1) {
   if (($1_1 | 0) < (global$37 | 0)) {
    $0_1 = HEAP32[(global$6 + ($1_1 << 2 | 0) | 0) >> 2] << 2 | 0;
    HEAP32[($0_1 + global$9 | 0) >> 2] = 0;
    HEAP32[(global$10 + $0_1 | 0) >> 2] = 0;
    $1_1 = $1_1 + 1 | 0;
    continue label2;
   }
   break label2;
  };
  $1_1 = 1;
  label3 : while (1) {
   if (($1_1 | 0) < (global$34 | 0)) {
    $0_1 = $1_1 << 2 | 0;
    if (HEAPU8[(global$20 + HEAP32[($0_1 + global$24 | 0) >> 2] | 0) >> 0] & 1 | 0) {
     $0_1 = HEAP32[(global$25 + $0_1 | 0) >> 2]
    } else {
     $0_1 = -1
    }
    if (($0_1 | 0) >= (0 | 0)) {
     $0_1 = $0_1 << 2 | 0;
     $2_1 = $0_1 + global$9 | 0;
     $3_1 = $2_1;
     $4_1 = HEAP32[$2_1 >> 2];
     $2_1 = $1_1 << 2 | 0;
     HEAP32[$3_1 >> 2] = $4_1 + HEAP32[($2_1 + global$30 | 0) >> 2] | 0;
     $3_1 = global$10 + $0_1 | 0;
     $0_1 = HEAP32[$3_1 >> 2];
     $2_1 = HEAP32[(global$31 + $2_1 | 0) >> 2];
     HEAP32[$3_1 >> 2] = $0_1 >>> 0 > $2_1 >>> 0 ? $0_1 : $2_1;
    }
    $1_1 = $1_1 + 1 | 0;
    continue label3;
   }
   break label3;
  };
 }
 
 function $14($0_1, $1_1, $2_1, $3_1, $4_1) {
  $0_1 = +$0_1;
  $1_1 = +$1_1;
  $2_1 = $2_1 | 0;
  $3_1 = $3_1 | 0;
  $4_1 = $4_1 | 0;
  var $5_1 = 0, $6_1 = 0, $7_1 = 0.0, $8_1 = 0, $9_1 = 0, $10_1 = 0, $11_1 = 0.0;
  global$42 = global$42 + 1 | 0;
  global$37 = 0;
  $6_1 = 1;
  label : while (1) {
   if (($6_1 | 0) < (global$34 | 0)) {
    $5_1 = $6_1 << 2 | 0;
    if (HEAPU8[(global$20 + HEAP32[($5_1 + global$24 | 0) >> 2] | 0) >> 0] & 1 | 0) {
     $5_1 = HEAP32[(global$25 + $5_1 | 0) >> 2]
    } else {
     $5_1 = -1
    }
    if (($5_1 | 0) >= (0 | 0)) {
     $7_1 = HEAPF64[(global$23 + ($6_1 << 3 | 0) | 0) >> 3];
     $9_1 = global$5 + ($5_1 << 3 | 0) | 0;
     $8_1 = global$11 + ($5_1 << 2 | 0) | 0;
     if ((global$42 | 0) == (HEAP32[$8_1 >> 2] | 0)) {
      HEAPF64[$9_1 >> 3] = HEAPF64[$9_1 >> 3] + $7_1
     } else {
      HEAP32[$8_1 >> 2] = global$42;
      $8_1 = global$37;
      global$37 = $8_1 + 1 | 0;
      HEAP32[(global$6 + ($8_1 << 2 | 0) | 0) >> 2] = $5_1;
      HEAPF64[$9_1 >> 3] = $7_1;
     }
    }
    $6_1 = $6_1 + 1 | 0;
    continue label;
   }
   break label;
  };
  global$38 = 0;
  global$39 = 0;
  label2 : while (1) {
   if (($10_1 | 0) < (global$37 | 0)) {
    $9_1 = HEAP32[(global$6 + ($10_1 << 2 | 0) | 0) >> 2];
    $7_1 = HEAPF64[(global$5 + ($9_1 << 3 | 0) | 0) >> 3];
    $5_1 = HEAP32[(global$12 + ($9_1 << 2 | 0) | 0) >> 2];
    $6_1 = $7_1 <= global$41;
    if ($6_1) {
     $6_1 = ($2_1 | 0) <= ($5_1 | 0)
    }
    if ($6_1) {
     $6_1 = ($3_1 | 0) > ($5_1 | 0)
    }
    $8_1 = $4_1 + $9_1 | 0;
    $5_1 = global$16 + ($8_1 << 3 | 0) | 0;
    HEAPF64[$5_1 >> 3] = Math_max(HEAPF64[$5_1 >> 3], Math_min($1_1, $7_1));
    $5_1 = 0;
    label1 : while (1) {
     if (($5_1 | 0) < (4 | 0) & $7_1 > HEAPF64[(($5_1 << 3 | 0) + 512 | 0) >> 3] | 0) {
      $5_1 = $5_1 + 1 | 0;
      continue label1;
     }
     break label1;
    };
    $5_1 = global$17 + ((Math_imul($8_1, 5) + $5_1 | 0) << 2 | 0) | 0;
    HEAP32[$5_1 >> 2] = HEAP32[$5_1 >> 2] + 1 | 0;
    $5_1 = global$14 + ($8_1 << 3 | 0) | 0;
    if ($6_1 ? 0 : $7_1 > HEAPF64[$5_1 >> 3]) {
     HEAPF64[$5_1 >> 3] = $7_1
    }
    $6_1 = 0;
    $5_1 = $8_1 << 3 | 0;
    $11_1 = HEAPF64[($5_1 + global$13 | 0) >> 3];
    block : {
     if ($7_1 == 0.0 | $7_1 < $11_1 | 0) {
      break block
     }
     $5_1 = global$15 + $5_1 | 0;
     if ($7_1 == $11_1 & $0_1 >= HEAPF64[$5_1 >> 3] | 0) {
      break block
     }
     HEAPF64[(global$13 + ($8_1 << 3 | 0) | 0) >> 3] = $7_1;
     HEAPF64[$5_1 >> 3] = $0_1;
     $6_1 = 1;
    }
    if ($6_1) {
     $5_1 = global$39;
     global$39 = $5_1 + 1 | 0;
     HEAP32[(global$8 + ($5_1 << 2 | 0) | 0) >> 2] = $9_1;
    }
    if ($7_1 > global$40) {
     $5_1 = global$38;
     global$38 = $5_1 + 1 | 0;
     HEAP32[(global$7 + ($5_1 << 2 | 0) | 0) >> 2] = $9_1;
    }
    $10_1 = $10_1 + 1 | 0;
    continue label2;
   }
   break label2;
  };
  return (global$39 | 0) > (0 | 0) | (global$38 | 0) > (0 | 0) | 0 | 0;
 }
 
 function $15($0_1) {
  $0_1 = $0_1 | 0;
  var $1_1 = 0;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 3 | 0) + 7 | 0) & -8 | 0) | 0;
  global$5 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 2 | 0) + 7 | 0) & -8 | 0) | 0;
  global$6 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 2 | 0) + 7 | 0) & -8 | 0) | 0;
  global$7 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 2 | 0) + 7 | 0) & -8 | 0) | 0;
  global$8 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 2 | 0) + 7 | 0) & -8 | 0) | 0;
  global$9 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 2 | 0) + 7 | 0) & -8 | 0) | 0;
  global$10 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 2 | 0) + 7 | 0) & -8 | 0) | 0;
  global$11 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 2 | 0) + 7 | 0) & -8 | 0) | 0;
  global$12 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 4 | 0) + 7 | 0) & -8 | 0) | 0;
  global$13 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 4 | 0) + 7 | 0) & -8 | 0) | 0;
  global$14 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 4 | 0) + 7 | 0) & -8 | 0) | 0;
  global$15 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((($0_1 << 4 | 0) + 7 | 0) & -8 | 0) | 0;
  global$16 = $1_1;
  $1_1 = global$32;
  global$32 = global$32 + ((Math_imul($0_1, 40) + 7 | 0) & -8 | 0) | 0;
  global$17 = $1_1;
  global$33 = global$32;
  return global$32 | 0;
 }
 
 $2();
 function __wasm_memory_size() {
  return buffer.byteLength >> 16;
 }
 
 function __wasm_memory_grow(pagesToAdd) {
  pagesToAdd = pagesToAdd | 0;
  var oldPages = __wasm_memory_size() | 0;
  var newPages = oldPages + pagesToAdd | 0;
  if ((oldPages < newPages) && (newPages < 65536)) {
   var newBuffer = new ArrayBuffer(newPages << 16);
   var newHEAP8 = new Int8Array(newBuffer);
   newHEAP8.set(HEAP8);
   HEAP8 = new Int8Array(newBuffer);
   HEAP16 = new Int16Array(newBuffer);
   HEAP32 = new Int32Array(newBuffer);
   HEAPU8 = new Uint8Array(newBuffer);
   HEAPU16 = new Uint16Array(newBuffer);
   HEAPU32 = new Uint32Array(newBuffer);
   HEAPF32 = new Float32Array(newBuffer);
   HEAPF64 = new Float64Array(newBuffer);
   buffer = newBuffer;
  }
  return oldPages;
 }
 
 return {
  "addSamples": $8, 
  "beginOperation": $7, 
  "beginTree": $6, 
  "flagsOfPlaces": $5, 
  "sumUp": $4, 
  "weightOfBare": $3, 
  "countPresences": $14, 
  "countSamples": $13, 
  "numberOfLong": $12, 
  "numberOfPresent": $11, 
  "numberOfWorst": $10, 
  "setLimits": $9, 
  "classBounds": {
   get value() {
    return global$0;
   }, 
   set value(_global$0) {
    global$0 = _global$0;
   }
  }, 
  "boundCount": {
   get value() {
    return global$1;
   }, 
   set value(_global$1) {
    global$1 = _global$1;
   }
  }, 
  "windowSize": {
   get value() {
    return global$2;
   }, 
   set value(_global$2) {
    global$2 = _global$2;
   }
  }, 
  "windowWeights": {
   get value() {
    return global$3;
   }, 
   set value(_global$3) {
    global$3 = _global$3;
   }
  }, 
  "windowNodes": {
   get value() {
    return global$4;
   }, 
   set value(_global$4) {
    global$4 = _global$4;
   }
  }, 
  "functionWeights": {
   get value() {
    return global$5;
   }, 
   set value(_global$5) {
    global$5 = _global$5;
   }
  }, 
  "present": {
   get value() {
    return global$6;
   }, 
   set value(_global$6) {
    global$6 = _global$6;
   }
  }, 
  "long": {
   get value() {
    return global$7;
   }, 
   set value(_global$7) {
    global$7 = _global$7;
   }
  }, 
  "worst": {
   get value() {
    return global$8;
   }, 
   set value(_global$8) {
    global$8 = _global$8;
   }
  }, 
  "functionSamples": {
   get value() {
    return global$9;
   }, 
   set value(_global$9) {
    global$9 = _global$9;
   }
  }, 
  "functionLongest": {
   get value() {
    return global$10;
   }, 
   set value(_global$10) {
    global$10 = _global$10;
   }
  }, 
  "lastIn": {
   get value() {
    return global$11;
   }, 
   set value(_global$11) {
    global$11 = _global$11;
   }
  }, 
  "firstSeen": {
   get value() {
    return global$12;
   }, 
   set value(_global$12) {
    global$12 = _global$12;
   }
  }, 
  "worstWeights": {
   get value() {
    return global$13;
   }, 
   set value(_global$13) {
    global$13 = _global$13;
   }
  }, 
  "worstWarmWeights": {
   get value() {
    return global$14;
   }, 
   set value(_global$14) {
    global$14 = _global$14;
   }
  }, 
  "worstStarts": {
   get value() {
    return global$15;
   }, 
   set value(_global$15) {
    global$15 = _global$15;
   }
  }, 
  "mostWeights": {
   get value() {
    return global$16;
   }, 
   set value(_global$16) {
    global$16 = _global$16;
   }
  }, 
  "classCounts": {
   get value() {
    return global$17;
   }, 
   set value(_global$17) {
    global$17 = _global$17;
   }
  }, 
  "treeParents": {
   get value() {
    return global$18;
   }, 
   set value(_global$18) {
    global$18 = _global$18;
   }
  }, 
  "treeFunctions": {
   get value() {
    return global$19;
   }, 
   set value(_global$19) {
    global$19 = _global$19;
   }
  }, 
  "treeFlags": {
   get value() {
    return global$20;
   }, 
   set value(_global$20) {
    global$20 = _global$20;
   }
  }, 
  "placeOf": {
   get value() {
    return global$21;
   }, 
   set value(_global$21) {
    global$21 = _global$21;
   }
  }, 
  "weights": {
   get value() {
    return global$22;
   }, 
   set value(_global$22) {
    global$22 = _global$22;
   }
  }, 
  "totals": {
   get value() {
    return global$23;
   }, 
   set value(_global$23) {
    global$23 = _global$23;
   }
  }, 
  "nodes": {
   get value() {
    return global$24;
   }, 
   set value(_global$24) {
    global$24 = _global$24;
   }
  }, 
  "functions": {
   get value() {
    return global$25;
   }, 
   set value(_global$25) {
    global$25 = _global$25;
   }
  }, 
  "parents": {
   get value() {
    return global$26;
   }, 
   set value(_global$26) {
    global$26 = _global$26;
   }
  }, 
  "firstSamples": {
   get value() {
    return global$27;
   }, 
   set value(_global$27) {
    global$27 = _global$27;
   }
  }, 
  "samples": {
   get value() {
    return global$28;
   }, 
   set value(_global$28) {
    global$28 = _global$28;
   }
  }, 
  "longest": {
   get value() {
    return global$29;
   }, 
   set value(_global$29) {
    global$29 = _global$29;
   }
  }, 
  "samplesBelow": {
   get value() {
    return global$30;
   }, 
   set value(_global$30) {
    global$30 = _global$30;
   }
  }, 
  "longestBelow": {
   get value() {
    return global$31;
   }, 
   set value(_global$31) {
    global$31 = _global$31;
   }
  }, 
  "makeRoomForFunctions": $15, 
  "makeRoomForTree": $1, 
  "memory": Object.create(Object.prototype, {
   "grow": {
    "value": __wasm_memory_grow
   }, 
   "buffer": {
    "get": function () {
     return buffer;
    }
    
   }
  })
 };
}
