// How texts are compared everywhere: the same fold as the catalog's.
(() => {
  "use strict";

  // Where small letters are not yet the fold: letters (or the first and last of several) and what they become, in hex.
  // Written by `python -m tests.report.test_fold_script`.
  const TABLE = "b5:3bc df:73.73 149:2bc.6e 17f:73 345:3b9 3c2:3c3 3d0:3b2 3d1:3b8 3d5:3c6 3d6:3c0 3f0:3ba 3f1:3c1 3f5:3b5 587:565.582 13f8-13fd:13f0 1c80:432 1c81:434 1c82:43e 1c83-1c84:441 1c85:442 1c86:44a 1c87:463 1c88:a64b 1e9a:61.2be 1e9b:1e61 1f80:1f00.3b9 1f81:1f01.3b9 1f82:1f02.3b9 1f83:1f03.3b9 1f84:1f04.3b9 1f85:1f05.3b9 1f86:1f06.3b9 1f87:1f07.3b9 1f90:1f20.3b9 1f91:1f21.3b9 1f92:1f22.3b9 1f93:1f23.3b9 1f94:1f24.3b9 1f95:1f25.3b9 1f96:1f26.3b9 1f97:1f27.3b9 1fa0:1f60.3b9 1fa1:1f61.3b9 1fa2:1f62.3b9 1fa3:1f63.3b9 1fa4:1f64.3b9 1fa5:1f65.3b9 1fa6:1f66.3b9 1fa7:1f67.3b9 1fb2:1f70.3b9 1fb3:3b1.3b9 1fb4:3ac.3b9 1fb7:3b1.342.3b9 1fc2:1f74.3b9 1fc3:3b7.3b9 1fc4:3ae.3b9 1fc7:3b7.342.3b9 1ff2:1f7c.3b9 1ff3:3c9.3b9 1ff4:3ce.3b9 1ff7:3c9.342.3b9 ab70-abbf:13a0 fb00:66.66 fb01:66.69 fb02:66.6c fb03:66.66.69 fb04:66.66.6c fb05:73.74 fb06:73.74 fb13:574.576 fb14:574.565 fb15:574.56b fb16:57e.576 fb17:574.56d";

  const codes = (hex) => hex.split(/[.-]/).map((code) => parseInt(code, 16));
  const folds = new Map();
  for (const row of TABLE.split(" ")) {
    const [[first, last = first], [letter, ...more]] = row.split(":").map(codes);
    for (let code = first; code <= last; code += 1) {
      folds.set(String.fromCharCode(code), String.fromCharCode(letter + code - first, ...more));
    }
  }
  const odd = new RegExp(`[${[...folds.keys()].join("")}]`, "g");

  PM.fold = (text) => text.normalize("NFC").toLowerCase().replace(odd, (letter) => folds.get(letter))
    .normalize("NFC").replaceAll("ё", "е");
})();
