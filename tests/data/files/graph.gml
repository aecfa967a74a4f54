Creator "by hand"
graph [
  directed 0
  node [ id 7 label "alpha" age 3 graphics [ x 1.5 y 2 ] ]
  node [ id 8 label "be&quot;ta" age 4 ]
  node [ id 9 label "gamma" age 5 ]
  edge [ source 7 target 8 value 2.5 ]
  edge [ source 8 target 9 value 1 ]
]
